import { parser } from 'typescript-eslint';
import lit from 'eslint-plugin-lit';
import litA11y from 'eslint-plugin-lit-a11y';
import webComponents from 'eslint-plugin-wc';

// What concerns elements and templates. All other rules are in oxlint.json: oxlint takes a fraction of the time.
export default [
  { ignores: ['**/node_modules/**', '**/dist/**'] },
  {
    files: ['src/widget/**/*.ts', 'demo/**/*.ts'],
    languageOptions: { parser },
    plugins: { lit, 'lit-a11y': litA11y, wc: webComponents },
    rules: {
      ...lit.configs['flat/recommended'].rules,
      ...litA11y.configs.recommended.rules,
      'wc/guard-super-call': 'error',
      'wc/no-self-class': 'off',
      'wc/require-listener-teardown': 'error',
      'lit/no-native-attributes': 'error',
      'lit/no-legacy-template-syntax': 'error',
    },
  },
];
