/** What the bench of the service needs of the sources; it bundles this file. */
export { migrate } from '../../../src/service/storage/migrate.ts';
export { openPostgres } from '../../../src/service/storage/open-postgres.ts';
export { openSqlite } from '../../../src/service/storage/open-sqlite.ts';
export { sweep } from '../../../src/service/storage/retention.ts';
export { startPostgres } from '../../service/postgres.ts';
export { startRedis } from '../../service/redis.ts';
