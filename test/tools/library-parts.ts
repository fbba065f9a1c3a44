import { readdirSync } from 'node:fs';
import type { Plugin } from 'vite';

/** A file of the package, and the modules in it. The first that fits takes a module, and all that it imports. */
export interface PartGroup {
  readonly name: string;
  readonly test: (module: string) => boolean;
}

/**
 * Divides the package for bundlers as the script is divided: launcher, panel, and parts loaded on demand. A bundler
 * keeps each of these files whole, so fewer files compress better and load in fewer requests. What the entries without
 * a user interface need, at once or later, is in files of its own.
 * @returns a plugin, and the groups for `output.codeSplitting`
 */
export function libraryParts(options: {
  /**
   * Ends of paths: the widget's entry, the module that loads with the panel, English, entries without user interface.
   */
  readonly launcher: string;
  readonly panel: string;
  readonly english: string;
  readonly headless: readonly string[];
  /** Modules that load with the launcher, although only other parts import them. */
  readonly early: RegExp;
  /** The parts loaded on demand, by what is in them. */
  readonly onDemand: readonly (readonly [name: string, files: RegExp])[];
}): { readonly plugin: Plugin; readonly groups: PartGroup[] } {
  let sets: Record<'launcher' | 'panel' | 'english' | 'headless' | 'later' | 'shared', ReadonlySet<string>>;
  const plugin: Plugin = {
    name: 'library-parts',
    buildEnd() {
      const ids = [...this.getModuleIds()];
      const importsOf = (id: string): readonly string[] => this.getModuleInfo(id)?.importedIds ?? [];
      const closureOf = (roots: readonly string[], next = importsOf): Set<string> => {
        const found = new Set(roots);
        for (const id of found) for (const each of next(id)) found.add(each);
        return found;
      };
      const allImportsOf = (id: string): string[] => [
        ...importsOf(id),
        ...(this.getModuleInfo(id)?.dynamicallyImportedIds ?? []),
      ];
      const entry = (end: string): string =>
        ids.find((id) => id.endsWith(end)) ?? this.error(`the library has no module ${end}`);
      const headless = closureOf(options.headless.map(entry));
      const ofWidget = ids.filter((id) => !headless.has(id));
      sets = {
        headless,
        later: closureOf([...headless], allImportsOf),
        launcher: closureOf([entry(options.launcher)]),
        panel: closureOf([entry(options.panel)]),
        english: closureOf([entry(options.english)]),
        shared: closureOf(ofWidget.flatMap(importsOf).filter((id) => headless.has(id))),
      };
    },
  };
  const groups: PartGroup[] = [
    { name: 'base', test: (id) => sets.launcher.has(id) && sets.headless.has(id) },
    { name: 'session', test: (id) => sets.panel.has(id) && sets.headless.has(id) },
    { name: 'shared', test: (id) => sets.shared.has(id) },
    // apart from what draws: client and session also run in Node, where the panel's code fails
    { name: 'session-later', test: (id) => sets.later.has(id) && !sets.headless.has(id) },
    { name: 'launcher', test: (id) => sets.launcher.has(id) || options.early.test(id) },
    { name: 'english', test: (id) => sets.english.has(id) },
    { name: 'panel', test: (id) => sets.panel.has(id) },
    ...options.onDemand.map(([name, files]) => ({
      name,
      test: (id: string) => files.test(id) && !sets.headless.has(id),
    })),
  ];
  return { plugin, groups };
}

/** One entry a table of strings, named as its file: `agent-chat/locales/pt-br`, `agent-chat/locales/content/pt-br`. */
export function localeEntries(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const tables = files.filter((file) => /(^|\/)[a-z]{2}(-[a-z]{2})?\.ts$/.test(file));
  return Object.fromEntries(tables.map((file) => [`locales/${file.slice(0, -3)}`, folder + file]));
}

/**
 * Prefix that tells the parts of one language apart. Names stay in all releases: browsers find a dictionary by them.
 */
export function localeFolder(module: string | null): string {
  const folder = /locales\/(\w+)\/[\w-]+\.ts$/.exec(module ?? '')?.[1];
  return folder === undefined ? '' : `${folder}-`;
}
