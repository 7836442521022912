// A PostgreSQL with pgvector and Apache AGE on loopback, for one transaction at a time. It tells its port as the first
// line, and goes when whoever started it goes. `node server.mjs [PORT [FOLDER]]`: in memory, or on a folder's files.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'
import { age } from '@electric-sql/pglite-age'
import { vector } from '@electric-sql/pglite-pgvector'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'

// To make a database takes several times as long as to load one: the first is kept for the next.
const made = new URL('./node_modules/.database.tar', import.meta.url)
const extensions = { vector, age }
const [port, dataDir] = process.argv.slice(2)

async function database() {
  if (dataDir && existsSync(`${dataDir}/PG_VERSION`)) return PGlite.create({ extensions, dataDir })
  if (!existsSync(made)) await make()
  return PGlite.create({ extensions, dataDir, loadDataDir: new Blob([readFileSync(made)]) })
}

async function make() {
  const db = await PGlite.create({ extensions })
  await db.exec('CREATE EXTENSION vector; CREATE EXTENSION age')
  const dump = Buffer.from(await (await db.dumpDataDir('none')).arrayBuffer())
  await db.close()
  const half = new URL(`./node_modules/.database-${process.pid}.tar`, import.meta.url)
  writeFileSync(half, dump)
  renameSync(half, made)
}

const server = new PGLiteSocketServer({ db: await database(), host: '127.0.0.1', port: Number(port ?? 0), maxConnections: 8 })
server.addEventListener('listening', (event) => console.log(event.detail.port))
process.stdin.on('end', () => process.exit(0)).resume()
await server.start()
