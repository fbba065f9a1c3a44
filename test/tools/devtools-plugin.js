/**
 * Lets a browser test send a command of the DevTools protocol to its own page: for what pages cannot do themselves,
 * like emulating forced colours. `test/widget/emulation.ts` calls it.
 * @returns {import('@web/test-runner').TestRunnerPlugin}
 */
export function devtoolsPlugin() {
  /** Sessions by page: what a session emulates ends with it. */
  const sessions = new WeakMap();
  return {
    name: 'devtools',
    async executeCommand({ command, payload, session }) {
      if (command !== 'devtools') return undefined;
      const page = session.browser.getPage(session.id);
      let devtools = sessions.get(page);
      if (!devtools) sessions.set(page, (devtools = await page.createCDPSession()));
      // `undefined` would mean that no plugin knows the command
      return (await devtools.send(payload.method, payload.parameters)) ?? true;
    },
  };
}
