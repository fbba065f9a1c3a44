import type { Field } from './field.ts';
import { lookFields } from './look-fields.ts';

export interface FieldGroup {
  readonly title: string;
  /** Collapsed at first. */
  readonly folded?: boolean;
  readonly fields: readonly Field[];
}

const onOff = ['on', 'off'] as const;

/** Every field of the published configuration, in the API's order. */
export const layoutFields: readonly Field[] = [
  {
    attribute: 'primary-color',
    api: 'layout.primary_color',
    label: 'Header',
    control: 'colour',
    initial: '#1f3a5f',
  },
  {
    attribute: 'second-color',
    api: 'layout.second_color',
    label: 'Visitor’s messages',
    control: 'colour',
    initial: '#dbe7f6',
  },
  {
    attribute: 'accent-color',
    api: 'layout.accent_color',
    label: 'Buttons, links, focus',
    control: 'colour',
    initial: '#0b62d6',
  },
  {
    attribute: 'theme',
    api: 'layout.theme',
    label: 'Theme',
    control: 'choice',
    options: ['auto', 'light', 'dark'],
    initial: 'auto',
  },
  {
    attribute: 'form-type',
    api: 'layout.form.type',
    label: 'Place',
    control: 'choice',
    options: ['float', 'fullscreen-overlay', 'custom'],
    optionLabels: { float: 'in the corner', 'fullscreen-overlay': 'full screen', custom: 'in the page' },
    initial: 'float',
  },
  {
    attribute: 'container-id',
    api: 'layout.form.properties.container_id',
    label: 'Container',
    control: 'text',
    initial: '',
    help: 'Id of the element to mount into. “chat-stage” is the frame on this page.',
  },
  {
    attribute: 'width',
    api: 'layout.form.properties.width',
    label: 'Width',
    control: 'text',
    initial: '',
    help: 'CSS length; empty: 400px.',
    half: true,
  },
  {
    attribute: 'height',
    api: 'layout.form.properties.height',
    label: 'Height',
    control: 'text',
    initial: '',
    help: 'CSS length; empty: 640px.',
    half: true,
  },
  {
    attribute: 'enable-text-streaming',
    api: 'layout.enable_text_streaming',
    label: 'Stream the text',
    control: 'switch',
    initial: 'true',
    help: 'Off: a typing mark until the message is complete.',
  },
  {
    attribute: 'is-live',
    api: 'is_live',
    label: 'Live',
    control: 'switch',
    initial: 'true',
    help: 'Off: nothing is shown and nothing is sent.',
  },
];

const textFields: readonly Field[] = [
  { attribute: 'heading', label: 'Name in the header', control: 'text', initial: '' },
  { attribute: 'welcome', label: 'Greeting', control: 'text', initial: '' },
  { attribute: 'placeholder', label: 'Placeholder', control: 'text', initial: '' },
  {
    attribute: 'lang',
    label: 'Language',
    control: 'select',
    options: ['', 'en', 'de', 'es', 'fr', 'it', 'pt-BR', 'ja', 'ko', 'zh-CN', 'zh-TW', 'ar', 'he'],
    initial: '',
    help: 'Empty: the page’s, then the browser’s.',
  },
  {
    attribute: 'dir',
    label: 'Direction',
    control: 'select',
    options: ['', 'ltr', 'rtl', 'auto'],
    initial: '',
  },
];

const requestFields: readonly Field[] = [
  {
    attribute: 'agent-id',
    api: 'agent_id',
    label: 'Agent',
    control: 'text',
    initial: '',
    help: '“demo” plays the scenarios, “echo” answers with your own words.',
  },
  { attribute: 'environment-id', api: 'environment_id', label: 'Environment', control: 'text', initial: '' },
  { attribute: 'version', api: 'version', label: 'Version', control: 'text', initial: '' },
  { attribute: 'thread-id', api: 'thread_id', label: 'Thread', control: 'text', initial: '' },
  {
    attribute: 'form-submit',
    label: 'Forms go by',
    control: 'choice',
    options: ['run', 'callback'],
    initial: 'run',
  },
];

const behaviourFields: readonly Field[] = [
  {
    attribute: 'announce',
    label: 'Screen reader hears',
    control: 'choice',
    options: ['answer', 'sentence', 'quiet'],
    initial: 'answer',
  },
  {
    attribute: 'storage',
    label: 'Kept over a reload',
    control: 'choice',
    options: ['none', 'session', 'local'],
    initial: 'session',
  },
  { attribute: 'notifications', label: 'Notifications', control: 'choice', options: onOff, initial: 'on' },
  {
    attribute: 'conversations',
    label: 'List of conversations',
    control: 'choice',
    options: ['auto', 'on', 'off'],
    initial: 'auto',
    help: 'auto: once the service is known to keep one.',
  },
  {
    attribute: 'speech',
    label: 'Dictation and reading aloud',
    control: 'choice',
    options: onOff,
    initial: 'off',
  },
  { attribute: 'sound', label: 'Sound', control: 'choice', options: onOff, initial: 'off' },
  {
    attribute: 'preload',
    label: 'Panel is loaded',
    control: 'choice',
    options: ['none', 'idle', 'eager'],
    initial: 'none',
    help: 'none: when the visitor shows intent.',
  },
  {
    attribute: 'live-config',
    label: 'Follow what is published',
    control: 'switch',
    initial: 'false',
    help: 'Open pages too: within five minutes, or when they are focused.',
  },
];

/** Whether documents can be attached. Not an attribute: a page sets a function. */
export const documentsField: Field = {
  attribute: 'documents',
  api: 'uploadDocument',
  label: 'Attach documents',
  control: 'switch',
  initial: 'false',
  help: 'Needs a function of your page, which no snippet can contain. Here, it only pretends.',
};

/** Every setting, in the groups of the page. */
export const fieldGroups: readonly FieldGroup[] = [
  { title: 'Look', fields: [...layoutFields.slice(0, 4), ...lookFields] },
  { title: 'Place', fields: layoutFields.slice(4) },
  { title: 'Words', folded: true, fields: textFields },
  { title: 'Run request', folded: true, fields: requestFields },
  { title: 'Behaviour', folded: true, fields: [...behaviourFields, documentsField] },
];

/** Every attribute of the widget that the page offers. */
export const fields: readonly Field[] = [
  ...layoutFields,
  ...textFields,
  ...requestFields,
  ...behaviourFields,
];
