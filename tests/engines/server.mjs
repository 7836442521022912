// A PostgreSQL with pgvector and Apache AGE on loopback, kept in memory, for one transaction at a time. It tells its
// port as the first line, and goes when whoever started it goes.
import { PGlite } from '@electric-sql/pglite'
import { age } from '@electric-sql/pglite-age'
import { vector } from '@electric-sql/pglite-pgvector'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'

const db = await PGlite.create({ extensions: { vector, age } })
const server = new PGLiteSocketServer({ db, host: '127.0.0.1', port: 0, maxConnections: 8 })
server.addEventListener('listening', (event) => console.log(event.detail.port))
process.stdin.on('end', () => process.exit(0)).resume()
await server.start()
