// Reads the public API of <agent-chat> from the sources. `node test/tools/reference.js` updates the tables of the
// documents and the generated types; the build writes the files for editors (custom-elements.json,
// html-custom-data.json).
import { readFileSync, writeFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { runnerImport } from 'vite';
import { generatedTypes } from './generated-types.js';
import { referenceTables } from './reference-tables.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The public API, in the order of the sources. */
export async function readReference() {
  const load = async (path) =>
    (await runnerImport(root + path, { configFile: false, root, logLevel: 'error' })).module;
  const { configTable } = await load('src/widget/config/config-table.ts');
  const { describeAllowedValues } = await load('src/widget/element/report-invalid-setting.ts');
  const { configDescriptions } = await load('src/widget/config/config-descriptions.ts');
  const { hostOptionNames } = await load('src/widget/config/host-options.ts');
  const { publicTokens } = await load('src/widget/theme/tokens.ts');
  const { partDescriptions, stateDescriptions } = await load('src/widget/theme/part-descriptions.ts');
  const { settingRows } = await load('src/service/setting-table.ts');
  const element = classIn('src/widget/element/agent-chat.ts', 'AgentChat');
  const base = classIn('src/widget/element/configured-element.ts', 'ConfiguredElementBase');
  return {
    version: JSON.parse(readFileSync(`${root}package.json`, 'utf8')).version,
    summary: docOf(element),
    attributes: Object.entries(configTable).map(([key, { attribute, api, allowed, initial }]) => ({
      attribute,
      property: key,
      api,
      choices: Array.isArray(allowed) ? allowed.filter(Boolean) : [],
      kind: allowed,
      allowed: describeAllowedValues(allowed),
      initial: initial === undefined ? '' : String(initial),
      meaning: configDescriptions[key],
    })),
    properties: [
      ...readOptions(hostOptionNames),
      {
        name: 'layout',
        type: 'object',
        meaning:
          'The look, with the field names of the interface. Overrides the JSON; single attributes and properties override it.',
      },
      ...readGetters(element),
    ],
    methods: [...readMethods(element), ...readMethods(base)],
    events: readEvents(),
    slots: tagsOf(element, 'slot'),
    parts: Object.entries(partDescriptions).map(([name, meaning]) => ({ name, meaning })),
    states: Object.entries(stateDescriptions).map(([name, meaning]) => ({ name, meaning })),
    tokens: publicTokens.map(({ name, initial, purpose }) => ({ name, initial, meaning: purpose })),
    errors: readErrors(),
    settings: settingRows,
  };
}

function source(path) {
  return ts.createSourceFile(path, readFileSync(root + path, 'utf8'), ts.ScriptTarget.ES2022, true);
}

function classIn(path, name) {
  return source(path).statements.find((node) => ts.isClassDeclaration(node) && node.name?.text === name);
}

function docOf(node) {
  const [doc] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  return (ts.getTextOfJSDocComment(doc?.comment) ?? '').replace(/\s+/g, ' ').trim();
}

function tagsOf(node, tag) {
  return ts
    .getJSDocTags(node)
    .filter(({ tagName }) => tagName.text === tag)
    .map((found) => {
      const [, name, meaning] = /^(\S+)\s+-\s+(.*)$/s.exec(ts.getTextOfJSDocComment(found.comment)) ?? [];
      return { name, meaning };
    });
}

function readOptions(names) {
  const options = source('src/widget/config/host-options.ts').statements.find(
    (node) => ts.isInterfaceDeclaration(node) && node.name.text === 'HostOptions',
  );
  return options.members.map((member) => ({
    name: member.name.text,
    type: member.type.getText().replace(/\s+/g, ' '),
    json: names[member.name.text],
    meaning: docOf(member),
  }));
}

function readGetters(element) {
  return element.members
    .filter((member) => ts.isGetAccessor(member) && isPublic(member))
    .map((member) => ({
      name: member.name.text,
      type: member.type?.getText() ?? '',
      readonly: !element.members.some(
        (other) => ts.isSetAccessor(other) && other.name.text === member.name.text,
      ),
      meaning: docOf(member),
    }));
}

function isPublic(member) {
  const hidden = [
    ts.SyntaxKind.ProtectedKeyword,
    ts.SyntaxKind.PrivateKeyword,
    ts.SyntaxKind.OverrideKeyword,
  ];
  const tags = ts.getJSDocTags(member).map(({ tagName }) => tagName.text);
  return (
    member.name &&
    ts.isIdentifier(member.name) &&
    !tags.includes('internal') &&
    !member.modifiers?.some(({ kind }) => hidden.includes(kind))
  );
}

function readMethods(element) {
  return element.members
    .filter((member) => ts.isMethodDeclaration(member) && isPublic(member))
    .map((member) => ({
      name: member.name.text,
      parameters: member.parameters.map((parameter) => ({
        name: parameter.name.getText(),
        type: parameter.type?.getText().replace(/\s+/g, ' ') ?? '',
        optional: Boolean(parameter.initializer ?? parameter.questionToken),
      })),
      returns: member.type?.getText() ?? 'void',
      meaning: docOf(member),
    }));
}

function readEvents() {
  const files = ['src/widget/events/element-events.ts', 'src/widget/events/chat-events.ts'].map(source);
  const classes = files.flatMap((file) => file.statements.filter(ts.isClassDeclaration));
  const map = files
    .flatMap((file) => [...file.statements])
    .find((node) => ts.isInterfaceDeclaration(node) && node.name.text === 'AgentChatEventMap');
  return map.members.map((member) => {
    const type = member.type.getText();
    const node = classes.find(({ name }) => name.text === type);
    const constructor = node.members.find(ts.isConstructorDeclaration);
    const own = node.members.filter(
      (part) =>
        (ts.isPropertyDeclaration(part) || ts.isMethodDeclaration(part)) &&
        !part.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword) &&
        isPublic(part),
    );
    const fields = [
      ...(constructor?.parameters.filter((parameter) => parameter.modifiers) ?? []),
      ...own,
    ].map((part) => (ts.isMethodDeclaration(part) ? `${part.name.getText()}()` : part.name.getText()));
    return { name: member.name.text, type, fields, meaning: docOf(node) };
  });
}

function readErrors() {
  return ['errors', 'framing/stream-format-error', 'response-errors']
    .map((name) => `src/client/${name}.ts`)
    .flatMap((file) => [...source(file).statements])
    .filter(ts.isClassDeclaration)
    .filter((node) => !node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AbstractKeyword))
    .map((node) => ({
      name: node.name.text,
      fields: node.members
        .filter((member) => ts.isPropertyDeclaration(member) && member.name.text !== 'name')
        .map((member) => member.name.text),
      meaning: docOf(node),
    }));
}

/** Replaces every generated table in a text. */
export function fillTables(text, reference) {
  const tables = referenceTables(reference);
  return text.replace(/<!-- (generated|source): (\S+) -->\n[^]*?<!-- end -->/g, (_all, kind, name) => {
    const content = kind === 'source' ? sourceBlock(name) : tables[name];
    if (content === undefined) throw new Error(`There is no table "${name}"`);
    return `<!-- ${kind}: ${name} -->\n${content}\n<!-- end -->`;
  });
}

function sourceBlock(path) {
  return `\n\`\`\`${path.split('.').at(-1)}\n${readFileSync(root + path, 'utf8').trimEnd()}\n\`\`\`\n`;
}

/** The documents with generated tables or sources. */
export function documents() {
  const pages = readdirSync(`${root}demo`, { recursive: true, encoding: 'utf8' });
  return ['README.md', ...pages.filter((file) => file.endsWith('.md')).map((file) => `demo/${file}`)];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const reference = await readReference();
  const pages = documents().map((file) => [file, fillTables(readFileSync(root + file, 'utf8'), reference)]);
  for (const [file, text] of [...pages, ...Object.entries(generatedTypes(reference))]) {
    if (readFileSync(root + file, 'utf8') === text) continue; // `npm run dev` would build again
    writeFileSync(root + file, text);
    console.log(`Updated ${file}`);
  }
}
