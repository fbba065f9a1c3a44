// `npm run dev`: rebuilds script, demo and service when their sources change, and restarts the service.
import { spawn } from 'node:child_process';

const watch = (mode) =>
  spawn('npx', ['vite', 'build', '--mode', mode, '--watch', '--logLevel', 'warn'], { stdio: 'inherit' });
const children = ['script', 'demo', 'service'].map(watch);
let service = start();

function start() {
  return spawn('node', ['--watch', 'dist/service/cli.js', 'playground'], { stdio: 'inherit' });
}
service.on('exit', () => {
  setTimeout(() => (service = start()), 2000);
});
process.on('SIGINT', () => {
  for (const child of [...children, service]) child.kill('SIGINT');
  process.exit(0);
});
