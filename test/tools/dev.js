// `npm run dev`: builds what is missing, then rebuilds script, demo and service when their sources change, and restarts
// the service.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';

const outputs = {
  script: 'dist/agent-chat.js',
  demo: 'dist/demo/index.html',
  service: 'dist/service/cli.js',
};
const missing = Object.keys(outputs).filter((mode) => !existsSync(outputs[mode]));
if (missing.length > 0) {
  console.log(`Building ${missing.join(', ')} …`);
  const build = spawn(process.execPath, ['test/tools/build.js', ...missing], { stdio: 'inherit' });
  const status = await new Promise((resolve) => build.on('exit', resolve));
  if (status !== 0) process.exit(status ?? 1);
}

const vite = 'node_modules/vite/bin/vite.js';
const watch = (mode) =>
  spawn(process.execPath, [vite, 'build', '--mode', mode, '--watch', '--logLevel', 'warn'], {
    stdio: 'inherit',
  });
const builds = Object.keys(outputs).map(watch);
let service = start();

function start() {
  const child = spawn(process.execPath, ['--watch', outputs.service, 'playground'], { stdio: 'inherit' });
  child.on('exit', () => setTimeout(() => (service = start()), 2000));
  return child;
}

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    for (const child of [...builds, service]) child.kill(signal);
    process.exit(0);
  });
}
