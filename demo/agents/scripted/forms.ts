import type { ContentItem } from '../../../src/protocol/index.ts';

const arrivalFields = {
  vessel: { type: 'string', title: 'Name of the boat', minLength: 2, maxLength: 40 },
  length: { type: 'number', title: 'Length in metres', minimum: 3, maximum: 60 },
  arrival: { type: 'string', format: 'date', title: 'Day of arrival' },
  nights: { type: 'integer', title: 'Nights', minimum: 1, maximum: 30, default: 1 },
  pontoon: { type: 'string', title: 'Pontoon you would like', enum: ['A', 'C', 'D'], default: 'C' },
  electricity: { type: 'boolean', title: 'Electricity', default: true },
  remarks: { type: 'string', title: 'Anything else?' },
};

/** A short form with the usual kinds of field. */
export const arrivalForm: ContentItem = {
  response_type: 'forms',
  id: 'arrival',
  name: 'Announce an arrival',
  sub_type: 'arrival',
  event_type: 'form',
  dps_payload_id: 'payload-arrival-1',
  json_schema: {
    type: 'object',
    title: 'Announce an arrival',
    description: 'We keep a berth for you.',
    required: ['vessel', 'length', 'arrival'],
    properties: arrivalFields,
  },
  ui_schema: {
    'ui:order': ['vessel', 'length', 'arrival', 'nights', 'pontoon', 'electricity', 'remarks'],
    vessel: { 'ui:placeholder': 'Marigold', 'ui:autofocus': true },
    length: { 'ui:widget': 'NumberWidget', 'ui:help': 'Over all, bowsprit included' },
    arrival: { 'ui:widget': 'DateWidget' },
    pontoon: { 'ui:widget': 'RadioWidget', 'ui:enumNames': ['Pontoon A', 'Pontoon C', 'Pontoon D'] },
    remarks: { 'ui:widget': 'TextareaWidget' },
    'ui:submitButtonOptions': { submitText: 'Announce' },
    'ui:cancelButtonOptions': { showCancel: true, cancelText: 'Not now' },
  },
  form_data: { nights: 2, pontoon: 'C' },
};

/** Titles of the fields of a submitted arrival form, in the form's order; none for other forms. */
export function titlesOf({
  dps_payload_id,
}: ContentItem): readonly (readonly [name: string, title: string])[] {
  if (dps_payload_id !== arrivalForm.dps_payload_id) return [];
  return Object.entries(arrivalFields).map(([name, { title }]) => [name, title]);
}

/** A long form: nested objects, lists, dependencies, and all widgets seen on the wire. */
export const registrationForm: ContentItem = {
  response_type: 'form',
  id: 'registration',
  name: 'Register a boat',
  sub_type: 'registration',
  event_type: 'form',
  dps_payload_id: 'payload-registration-1',
  json_schema: {
    type: 'object',
    required: ['boat', 'owner'],
    properties: {
      boat: {
        type: 'object',
        title: 'The boat',
        required: ['name', 'kind'],
        properties: {
          name: { type: 'string', title: 'Name' },
          kind: {
            type: 'string',
            title: 'Kind',
            oneOf: [
              { const: 'sail', title: 'Sailing boat' },
              { const: 'motor', title: 'Motor boat' },
              { const: 'row', title: 'Rowing boat' },
            ],
          },
          mast: { type: 'number', title: 'Height of the mast in metres' },
        },
        if: { properties: { kind: { const: 'sail' } }, required: ['kind'] },
        then: { required: ['mast'] },
      },
      owner: {
        type: 'object',
        title: 'The owner',
        required: ['name', 'mail'],
        properties: {
          name: { type: 'string', title: 'Name' },
          mail: { type: 'string', title: 'Mail', format: 'email' },
          phone: { type: 'string', title: 'Telephone' },
        },
      },
      crew: {
        type: 'array',
        title: 'Crew',
        maxItems: 8,
        items: {
          type: 'object',
          required: ['name'],
          properties: {
            name: { type: 'string', title: 'Name' },
            age: { type: 'integer', title: 'Age', minimum: 0, maximum: 120 },
          },
        },
      },
      services: {
        type: 'array',
        title: 'Services',
        uniqueItems: true,
        items: { type: 'string', enum: ['water', 'electricity', 'waste', 'laundry', 'pilot'] },
      },
      stay: { type: 'string', title: 'From and until' },
      time: { type: 'string', title: 'Time of arrival', format: 'time' },
      rules: {
        type: 'array',
        title: 'In short',
        items: { type: 'string' },
        default: ['Slow in the basin', 'No generators after 22:00'],
      },
      agreed: { type: 'boolean', title: 'I agree to the rules of the harbour', const: true },
    },
  },
  ui_schema: {
    owner: { mail: { 'ui:widget': 'email' } },
    boat: { kind: { 'ui:widget': 'ComboboxWidget' } },
    services: { 'ui:widget': 'MultiselectDropdown' },
    stay: { 'ui:widget': 'DateWidget', 'ui:options': { range: true } },
    time: { 'ui:widget': 'TimeWidget' },
    rules: { 'ui:widget': 'BulletList' },
    crew: { 'ui:widget': 'EditableTable' },
    agreed: { 'ui:widget': 'CheckboxWidget' },
    'ui:submitButtonOptions': { submitText: 'Register' },
    'ui:cancelButtonOptions': { showCancel: true, cancelText: 'Cancel' },
  },
  form_data: { boat: { name: 'Marigold' }, crew: [{ name: 'Ada', age: 34 }] },
};
