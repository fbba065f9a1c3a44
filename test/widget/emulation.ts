import { executeServerCommand } from '@web/test-runner-commands';

/** Media features by name, like `forced-colors: active`. */
export type MediaFeatures = Readonly<Record<string, string>>;

/** Makes the page believe in a medium (`print`) and in media features, until `endEmulation`. */
export async function emulateMedia(features: MediaFeatures, media = ''): Promise<void> {
  const list = Object.entries(features).map(([name, value]) => ({ name, value }));
  await devtools('Emulation.setEmulatedMedia', { media, features: list });
}

/** Makes the page a phone's, with a touch screen, until `endEmulation`. */
export async function emulatePhone(width: number, height: number): Promise<void> {
  const size = { width, height, deviceScaleFactor: 1, mobile: true };
  await devtools('Emulation.setDeviceMetricsOverride', size);
  await emulateTouch();
}

/** Gives the page a touch screen, until `endEmulation`. */
export async function emulateTouch(): Promise<void> {
  await devtools('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 1 });
}

/** Sets the size of the window, in CSS pixels, until `endEmulation`. */
export async function emulateWindow(width: number, height: number): Promise<void> {
  const size = { width, height, deviceScaleFactor: 1, mobile: false };
  await devtools('Emulation.setDeviceMetricsOverride', size);
}

/** Makes a strip of the screen unsafe, as a notch does, until `endEmulation`. In CSS pixels. */
export async function emulateNotch(left: number): Promise<void> {
  await devtools('Emulation.setSafeAreaInsetsOverride', { insets: { left, leftMax: left } });
}

/** Sets the time zone of the page, until `endEmulation`. */
export async function emulateTimeZone(timezoneId: string): Promise<void> {
  await devtools('Emulation.setTimezoneOverride', { timezoneId });
}

/** Ends everything that was emulated. */
export async function endEmulation(): Promise<void> {
  await emulateTimeZone('');
  await devtools('Emulation.setSafeAreaInsetsOverride', { insets: {} });
  await emulateMedia({});
  await devtools('Emulation.setTouchEmulationEnabled', { enabled: false });
  await devtools('Emulation.clearDeviceMetricsOverride', {});
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Turns the wheel of a mouse at a point, by CSS pixels. */
export async function turnWheel({ x, y }: Point, deltaY: number): Promise<void> {
  await devtools('Input.dispatchMouseEvent', { type: 'mouseWheel', x, y, deltaX: 0, deltaY });
}

/** Puts a finger on the screen, moves it, or lifts it (without a point). */
export async function touch(type: 'touchStart' | 'touchMove' | 'touchEnd', at?: Point): Promise<void> {
  await devtools('Input.dispatchTouchEvent', { type, touchPoints: at ? [at] : [] });
}

async function devtools(method: string, parameters: Readonly<Record<string, unknown>>): Promise<void> {
  await executeServerCommand('devtools', { method, parameters });
}
