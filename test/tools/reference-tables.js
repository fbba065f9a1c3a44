// Formats the reference as Markdown tables, and as the two files that editors read.

const cell = (text) => String(text).replaceAll('|', '\\|').replace(/\s+/g, ' ');
const code = (text) => (text === '' || text === undefined ? '' : `\`${cell(text)}\``);

function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return ['', line(head), line(head.map(() => '---')), ...rows.map(line), ''].join('\n');
}

const allowedOf = ({ allowed, choices }) => choices.map(code).join(' ') || cell(allowed);
const signature = ({ name, parameters }) =>
  `${name}(${parameters
    .map(
      (parameter) =>
        `${parameter.name.startsWith('{') ? 'options' : parameter.name}${parameter.optional ? '?' : ''}`,
    )
    .join(', ')})`;

/** All tables, by the name in their markers. */
export function referenceTables(reference) {
  const named = (head, rows) =>
    table(
      [head, ''],
      rows.map(({ name, meaning }) => [code(name), cell(meaning)]),
    );
  return {
    attributes: table(
      ['attribute', 'in JSON', 'allowed', 'default', 'what it is for'],
      reference.attributes.map((row) => [
        code(row.attribute),
        code(row.api),
        allowedOf(row),
        code(row.initial),
        cell(row.meaning),
      ]),
    ),
    properties: table(
      ['property', 'in JSON', 'what it is for'],
      reference.properties.map((row) => [
        code(row.name),
        code(row.json),
        cell(row.meaning) + (row.readonly ? ' (read only)' : ''),
      ]),
    ),
    methods: table(
      ['method', ''],
      reference.methods.map((row) => [code(signature(row)), cell(row.meaning)]),
    ),
    events: table(
      ['event', 'carries', ''],
      reference.events.map((row) => [code(row.name), row.fields.map(code).join(' '), cell(row.meaning)]),
    ),
    slots: named('slot', reference.slots),
    parts: named('`::part`', reference.parts),
    states: named('`:state()`', reference.states),
    tokens: table(
      ['token', 'default', ''],
      reference.tokens.map((row) => [code(row.name), cell(row.initial), cell(row.meaning)]),
    ),
    errors: table(
      ['error', 'carries', ''],
      reference.errors.map((row) => [code(row.name), row.fields.map(code).join(' '), cell(row.meaning)]),
    ),
    settings: table(
      ['variable', 'default', ''],
      reference.settings.map((row) => [code(row.variable), cell(row.fallback), cell(row.meaning)]),
    ),
  };
}

const typeOf = (row) => {
  if (row.choices.length > 0) return row.choices.map((word) => `'${word}'`).join(' | ');
  if (row.kind === 'boolean') return 'boolean';
  return row.kind === 'integer' ? 'number' : 'string';
};

/** The manifest for documentation tools and editors. @see https://github.com/webcomponents/custom-elements-manifest */
export function customElementsManifest(reference) {
  const path = 'dist/lib/agent-chat.js';
  const described = ({ name, meaning }) => ({ name, description: meaning });
  return {
    schemaVersion: '2.1.0',
    modules: [
      {
        kind: 'javascript-module',
        path,
        declarations: [
          {
            kind: 'class',
            name: 'AgentChat',
            tagName: 'agent-chat',
            customElement: true,
            description: reference.summary,
            superclass: { name: 'LitElement', package: 'lit' },
            attributes: reference.attributes.map((row) => ({
              name: row.attribute,
              fieldName: row.property,
              description: row.meaning,
              type: { text: typeOf(row) },
              ...(row.initial === '' ? {} : { default: row.initial }),
            })),
            members: [
              ...reference.attributes
                .filter(({ property }) => property !== 'lang' && property !== 'dir')
                .map((row) => ({
                  kind: 'field',
                  name: row.property,
                  attribute: row.attribute,
                  description: row.meaning,
                  type: { text: typeOf(row) },
                })),
              ...reference.properties.map((row) => ({
                kind: 'field',
                name: row.name,
                description: row.meaning,
                type: { text: row.type },
                ...(row.readonly ? { readonly: true } : {}),
              })),
              ...reference.methods.map((row) => ({
                kind: 'method',
                name: row.name,
                description: row.meaning,
                return: { type: { text: row.returns } },
                parameters: row.parameters.map((parameter) => ({
                  name: parameter.name.startsWith('{') ? 'options' : parameter.name,
                  type: { text: parameter.type },
                  ...(parameter.optional ? { optional: true } : {}),
                })),
              })),
            ],
            events: reference.events.map((row) => ({
              name: row.name,
              description: row.meaning,
              type: { text: row.type },
            })),
            slots: reference.slots.map(described),
            cssParts: reference.parts.map(described),
            cssProperties: reference.tokens.map((row) => ({
              name: row.name,
              description: row.meaning,
              default: row.initial,
            })),
            cssStates: reference.states.map(described),
          },
        ],
        exports: [
          { kind: 'js', name: 'AgentChat', declaration: { name: 'AgentChat', module: path } },
          {
            kind: 'custom-element-definition',
            name: 'agent-chat',
            declaration: { name: 'AgentChat', module: path },
          },
        ],
      },
    ],
  };
}

/** The data for the HTML support of editors. @see https://github.com/microsoft/vscode-custom-data */
export function htmlCustomData(reference) {
  const attributes = reference.attributes.map((row) => ({
    name: row.attribute,
    description: row.meaning,
    ...(row.choices.length > 0
      ? { values: row.choices.map((name) => ({ name })) }
      : row.kind === 'boolean'
        ? { values: [{ name: 'true' }, { name: 'false' }] }
        : {}),
  }));
  return {
    version: 1.1,
    tags: [{ name: 'agent-chat', description: reference.summary, attributes }],
    globalAttributes: attributes.map((row) => ({ ...row, name: `data-${row.name}` })),
  };
}
