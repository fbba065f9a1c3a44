/** Whether style sheets can derive colours; engines from before mid-2024 cannot. */
export const hasRelativeColours =
  (globalThis.CSS as typeof CSS | undefined)?.supports(
    'color',
    'light-dark(color(from red xyz-d65 calc(x / y) y z), red)',
  ) ?? true; // jsdom has no `CSS`
