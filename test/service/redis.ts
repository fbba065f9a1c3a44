import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { freePort } from '../tools/free-port.ts';
import { until } from './running-service.ts';

/** A Redis of the suite's own, on a loopback port, without files. */
export interface RedisServer {
  readonly url: string;
  /** Stops the server as a crash would. */
  stop(): Promise<void>;
  /** Starts it again, empty, on the same port. */
  start(): Promise<void>;
}

/** Starts a server. Where Redis is not installed, logs that in one line, and returns `undefined`. */
export async function startRedis(): Promise<RedisServer | undefined> {
  if (spawnSync('redis-server', ['--version']).status !== 0) {
    console.log('Redis is not installed (apt-get install redis-server): its tests are skipped');
    return undefined;
  }
  const port = await freePort();
  let child: ChildProcess | undefined;
  const server: RedisServer = {
    url: `redis://127.0.0.1:${port}`,
    async start() {
      const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
      child = spawn('redis-server', settings, { cwd: tmpdir(), stdio: 'ignore' });
      await until(() => accepts(port));
    },
    async stop() {
      const gone = new Promise((resolve) => child?.once('exit', resolve));
      child?.kill('SIGKILL');
      await gone;
    },
  };
  await server.start();
  return server;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
