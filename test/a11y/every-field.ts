type Source = Readonly<Record<string, unknown>>;

const textField = { type: 'string', title: 'Πεδίο' };
const properties: Record<string, Source> = {
  αναγκαίο: textField,
  επιλογή: { title: 'Επιλογή', enum: ['α', 'β'] },
  αριθμός: { type: 'number', title: 'Αριθμός' },
  ακέραιος: { type: 'integer', title: 'Ακέραιος', default: 1.5 },
  κοντό: { ...textField, minLength: 3, default: 'α' },
  μακρύ: { ...textField, maxLength: 1, default: 'αβγ' },
  μορφή: { ...textField, pattern: '^α$', default: 'β' },
  ελάχιστο: { type: 'number', title: 'Α', minimum: 5, default: 1 },
  μέγιστο: { type: 'number', title: 'Β', maximum: 5, default: 9 },
  πάνω: { type: 'number', title: 'Γ', exclusiveMinimum: 5, default: 5 },
  κάτω: { type: 'number', title: 'Δ', exclusiveMaximum: 5, default: 5 },
  πολλαπλάσιο: { type: 'number', title: 'Ε', multipleOf: 2, default: 3 },
  λίγα: { type: 'array', title: 'Ζ', items: textField, minItems: 3, default: ['α', 'β'] },
  πολλά: { type: 'array', title: 'Η', items: textField, maxItems: 1, default: ['α', 'β'] },
  μοναδικά: { type: 'array', title: 'Θ', items: textField, uniqueItems: true, default: ['α', 'α'] },
  περιέχει: { type: 'array', title: 'Ι', items: textField, contains: { const: 'ω' }, default: ['α'] },
  ένα: { ...textField, enum: ['α'], default: 'ω' },
  σταθερά: { title: 'Κ', const: true, default: false },
  ιδιότητες: {
    type: 'object',
    title: 'Λ',
    minProperties: 2,
    additionalProperties: textField,
    default: { α: 'α' },
  },
  άγνωστο: {
    type: 'object',
    title: 'Μ',
    additionalProperties: textField,
    propertyNames: { maxLength: 1 },
  },
  δεκαδικός: { type: 'number', title: 'Σ' },
  είδος: {
    title: 'Ν',
    oneOf: [
      { type: 'string', minLength: 9 },
      { type: 'number', minimum: 9 },
    ],
    default: 'α',
  },
  άλλο: { title: 'Τ', oneOf: [{ const: 'α' }, { const: 'β' }], default: 'ω' },
  όχι: { ...textField, not: { const: 'α' }, default: 'α' },
  ναι: { type: 'boolean', title: 'Ξ' },
  εύρος: { type: 'number', title: 'Ο' },
  διάστημα: { type: 'array', title: 'Π', items: { type: 'string', format: 'date' } },
  πολλές: {
    type: 'array',
    title: 'Ρ',
    uniqueItems: true,
    items: { enum: ['α', 'β', 'γ', 'δ'] },
    default: ['α', 'β', 'γ', 'δ'],
  },
  λάθος: textField,
  αρχείο: { ...textField, format: 'data-url', default: 'data:image/png;name=%CE%B1,AA==' },
  λίστα: { type: 'array', items: { type: 'string' } },
  ανώνυμο: { oneOf: [{ type: 'string' }, { type: 'number' }] },
};
for (const [index, format] of ['email', 'uri', 'date', 'time', 'date-time', 'ipv4'].entries())
  properties[`μορφή ${index}`] = { ...textField, format, default: 'ω' };
// an optional part is omitted while it is empty
const required = ['αναγκαίο', 'επιλογή', 'αριθμός', 'ιδιότητες'];
const form_data = { λάθος: [1], άγνωστο: { αβγ: 'α' }, δεκαδικός: 'ω' };
const ui_schema = {
  εύρος: { 'ui:widget': 'range' },
  διάστημα: { 'ui:widget': 'DateWidget', 'ui:options': { range: true } },
  πολλές: { 'ui:widget': 'multiselect' },
  ναι: { 'ui:widget': 'select' },
};

/** A form in Greek with every kind of field, and data that violates every rule. */
export const everyField: Source = {
  response_type: 'form',
  json_schema: { type: 'object', required, properties },
  ui_schema,
  form_data,
};
