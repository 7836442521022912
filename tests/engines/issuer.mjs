// An OpenID Connect provider on loopback, for the tests: the real one of npm's oidc-provider, which signs JWT access tokens
// for clients that show their secret. It tells its port as the first line, and goes when whoever started it goes. A line
// "rotate" gives it other keys, "silence" makes it answer nothing, "speak" lets it answer again; each is answered "done".
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'

console.warn = () => {} // it warns of a version of node that it does work with
const { default: Provider } = await import('oidc-provider')

// Who there is, and of which groups: a client has its name for a secret.
const groups = {
  ann: ['research'],
  boss: ['platform', 'staff'],
  stranger: ['unheard-of'],
  loner: undefined,
}
// For whom a token is meant, and how it is signed, by the resource that is asked for.
const resources = {
  'urn:treering': { audience: 'treering', jwt: { sign: { alg: 'RS256' } } },
  'urn:treering:es': { audience: 'treering', jwt: { sign: { alg: 'ES256' } } },
  'urn:treering:ps': { audience: 'treering', jwt: { sign: { alg: 'PS256' } } },
  'urn:treering:ed': { audience: 'treering', jwt: { sign: { alg: 'EdDSA' } } },
  'urn:treering:hs': { audience: 'treering', jwt: { sign: { alg: 'HS256', key: Buffer.alloc(32, 'shared') } } },
  'urn:elsewhere': { audience: 'elsewhere', jwt: { sign: { alg: 'RS256' } } },
}

function key(kind, options) {
  const made = generateKeyPairSync(kind, options).privateKey.export({ format: 'jwk' })
  return { ...made, kid: randomUUID(), use: 'sig' }
}

function provider(issuer) {
  return new Provider(issuer, {
    clients: Object.keys(groups).map((name) => ({
      client_id: name,
      client_secret: name,
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
    })),
    jwks: { keys: [key('rsa', { modulusLength: 2048 }), key('ec', { namedCurve: 'P-256' }), key('ed25519')] },
    cookies: { keys: [randomUUID()] },
    extraTokenClaims: (ctx, token) => ({ groups: groups[token.clientId], team: { roles: groups[token.clientId] } }),
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => 'urn:treering',
        getResourceServerInfo: (ctx, resource) => ({
          scope: '',
          accessTokenFormat: 'jwt',
          accessTokenTTL: 3600,
          ...resources[resource],
        }),
      },
    },
    ttl: { ClientCredentials: 3600 },
  })
}

let serving
let silent = false
const server = createServer((request, response) => {
  if (silent) response.destroy()
  else serving.callback()(request, response)
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address()
  const issuer = `http://127.0.0.1:${port}`
  serving = provider(issuer)
  console.log(port)
  createInterface({ input: process.stdin })
    .on('line', (line) => {
      if (line === 'rotate') serving = provider(issuer)
      else silent = line === 'silence'
      console.log('done')
    })
    .on('close', () => process.exit(0))
})
