declare const __VERSION__: string | undefined;

/** The package's version; in tests, which run the sources, `0.0.0-dev`. */
export const version: string = typeof __VERSION__ === 'string' ? __VERSION__ : '0.0.0-dev';
