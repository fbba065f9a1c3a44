export function compileSources(): Promise<void>;
