import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import ts from 'typescript';
import { generatedTypes } from '../tools/generated-types.js';
import { readReference } from '../tools/reference.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Entries of the package whose exports editors show to the developers of a page. */
const entries = ['widget/index', 'embed/script-loader', 'react/index', 'vue/index', 'svelte/index'].map(
  (name) => `${root}src/${name}.ts`,
);

const { config } = ts.readConfigFile(`${root}tsconfig.json`, (file) => ts.sys.readFile(file)) as {
  config: { compilerOptions: object };
};
const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);

let program: ts.Program;
let checker: ts.TypeChecker;
test.beforeAll(() => {
  // what is asked below needs neither Node's types nor those of a page
  program = ts.createProgram(entries, { ...options, noEmit: true, types: [], lib: ['lib.es2023.d.ts'] });
  checker = program.getTypeChecker();
});

test('every public name of widget and wrappers has a text that editors show', () => {
  test.setTimeout(120_000);
  const missing = new Set<string>();
  for (const entry of entries) {
    const source = program.getSourceFile(entry);
    const module = source && checker.getSymbolAtLocation(source);
    for (const symbol of module ? checker.getExportsOfModule(module) : []) {
      const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      if (!isOurs(target)) continue;
      if (!textOf(target)) missing.add(target.name);
      for (const member of publicMembers(target)) {
        if (!textOf(member)) missing.add(`${target.name}.${member.name}`);
      }
    }
  }
  expect([...missing]).toEqual([]);
});

for (const [room, name] of [
  ['react', 'AgentChatProps'],
  ['react', 'AgentChatAttributes'],
  ['vue', 'AgentChatTemplateProps'],
  ['svelte', 'AgentChatMarkupProps'],
] as const) {
  test(`every setting and handler of ${name} (${room}) has a text that editors show`, () => {
    const source = program.getSourceFile(`${root}src/${room}/index.ts`);
    const module = source && checker.getSymbolAtLocation(source);
    const props = module && checker.tryGetMemberInModuleExports(name, module);
    if (!props) throw new Error(`${name} is missing`);
    const all = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(props));
    // those of a mapped type have no declaration
    const ours = all.filter((member) => isOurs(member) || !member.declarations?.length);
    expect(ours.length).toBeGreaterThan(60);
    expect(ours.filter((member) => !textOf(member)).map((member) => member.name)).toEqual([]);
  });
}

test('the generated types are as settings and events have them', async () => {
  for (const [path, text] of Object.entries(generatedTypes(await readReference())))
    expect(ts.sys.readFile(root + path), 'run: node test/tools/reference.js').toBe(text);
});

/** Properties and methods of a class or an interface, but not those of a base class of a library. */
function publicMembers(symbol: ts.Symbol): readonly ts.Symbol[] {
  if (!(symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface))) return [];
  const members = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol));
  return members.filter((member) => isOurs(member) && !isHidden(member));
}

function isOurs({ declarations = [] }: ts.Symbol): boolean {
  const rooms = /^src\/(widget|embed|react|vue|svelte)\//;
  return declarations.some((node) => rooms.test(node.getSourceFile().fileName.slice(root.length)));
}

/** Private, protected, internal, or an override of a method that the library documents. */
function isHidden({ declarations = [] }: ts.Symbol): boolean {
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected | ts.ModifierFlags.Override;
  return declarations.some((node) => {
    const name = ts.getNameOfDeclaration(node as ts.Declaration);
    const isInternal = ts.getJSDocTags(node).some(({ tagName }) => tagName.text === 'internal');
    // the keys of the event map are documented by the classes of the events
    const isEventName = Boolean(name && ts.isStringLiteral(name));
    const flags = ts.getCombinedModifierFlags(node as ts.Declaration); // symbols are made of declarations
    return (
      isInternal || isEventName || Boolean(flags & hidden) || Boolean(name && ts.isPrivateIdentifier(name))
    );
  });
}

function textOf(symbol: ts.Symbol): string {
  return ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim();
}
