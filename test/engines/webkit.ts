import { spawn, type ChildProcess } from 'node:child_process';
import { freePort } from '../tools/free-port.ts';
import type { EngineSource } from './engine-page.ts';
import { findCommand, findMiniBrowser } from './find-command.ts';
import { chord, webDriverKey } from './keys.ts';

interface KeyAction {
  readonly type: 'keyDown' | 'keyUp';
  readonly value: string;
}

/** WebKitGTK, driven by WebDriver on a virtual screen (Xvfb). */
export const webkit: EngineSource = {
  name: 'WebKit',
  missing() {
    const wanted = { WebKitWebDriver: 'webkit2gtk-driver', Xvfb: 'xvfb' };
    const packages = Object.entries(wanted).flatMap(([name, from]) => (findCommand(name) ? [] : [from]));
    if (!findMiniBrowser()) packages.unshift('webkit2gtk-driver');
    return packages.length > 0
      ? `no WebKitGTK (Debian: apt-get install ${[...new Set(packages)].join(' ')})`
      : undefined;
  },

  async start() {
    const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    const cleanups: (() => Promise<unknown>)[] = [() => terminate(screen)];
    const close = async (): Promise<void> => {
      for (const stop of cleanups.reverse()) await stop().catch(() => undefined);
    };
    try {
      const display = await new Promise<string>((resolve, reject) => {
        screen.once('exit', () => reject(new Error('Xvfb exited at once')));
        screen.stdio[3]?.once('data', (line) => resolve(String(line).trim()));
      });
      const port = await freePort();
      const driver = spawn('WebKitWebDriver', [`--port=${port}`, '--host=127.0.0.1'], {
        env: { ...process.env, DISPLAY: `:${display}` },
        stdio: 'ignore',
      });
      cleanups.push(() => terminate(driver));
      await untilReady(`http://127.0.0.1:${port}/status`);
      process.env['WDIO_LOG_LEVEL'] ??= 'error'; // read when the package is loaded
      const { default: WebDriver } = await import('webdriver');
      const session = await WebDriver.newSession({
        hostname: '127.0.0.1',
        port,
        path: '/',
        logLevel: 'error',
        capabilities: {
          alwaysMatch: {
            browserName: 'MiniBrowser',
            'wdio:enforceWebDriverClassic': true,
            'webkitgtk:browserOptions': { binary: findMiniBrowser() ?? '', args: ['--automation'] },
          },
        } as WebdriverIO.Capabilities, // the package's types lack WebKitGTK's capabilities
      });
      cleanups.push(() => session.deleteSession());
      await session.setTimeouts(undefined, 30_000, 30_000);
      const press = (actions: readonly KeyAction[]): Promise<void> =>
        session.performActions([{ type: 'key', id: 'keyboard', actions }]);
      return {
        version: `MiniBrowser ${String((session.capabilities as { browserVersion?: string }).browserVersion)}`,
        page: {
          keyboard: {
            press(keys) {
              const { held, last } = chord(keys);
              const names = [...held, last].map(webDriverKey);
              return press([
                ...names.map((value) => ({ type: 'keyDown' as const, value })),
                ...names.reverse().map((value) => ({ type: 'keyUp' as const, value })),
              ]);
            },
            type: (text) =>
              press(
                [...text].flatMap((value) => [
                  { type: 'keyDown' as const, value },
                  { type: 'keyUp' as const, value },
                ]),
              ),
          },
          goto: (url) => session.navigateTo(url),
          evaluate: (work, argument) =>
            session.executeScript(`return (${String(work)})(arguments[0])`, [argument as string]), // any JSON value
        },
        close,
      };
    } catch (cause) {
      await close();
      throw cause;
    }
  },
};

async function terminate(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await gone;
}

async function untilReady(url: string): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    if ((await fetch(url).catch(() => undefined))?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${url} did not respond`);
}
