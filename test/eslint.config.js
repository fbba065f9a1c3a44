import typescript from 'typescript-eslint';
import lit from 'eslint-plugin-lit';
import litA11y from 'eslint-plugin-lit-a11y';
import webComponents from 'eslint-plugin-wc';

// The rules that need types are in oxlint.json: oxlint takes a fraction of the time that ESLint does.
export default typescript.config(
  { ignores: ['**/node_modules/**', '**/dist/**', '**/.work/**'] },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [typescript.configs.strict],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_' },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-empty-object-type': ['error', { allowInterfaces: 'with-single-extends' }],
      '@typescript-eslint/no-invalid-void-type': 'off',
      '@typescript-eslint/no-unused-expressions': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-eval': 'error',
      'no-implied-eval': 'error',
      'no-new-func': 'error',
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/service/**', 'src/widget/events/report-diagnostic.ts'],
    rules: { 'no-console': 'error' },
  },
  {
    files: ['src/widget/**/*.ts', 'src/embed/**/*.ts', 'demo/**/*.ts'],
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
  {
    files: ['test/**/*.{ts,tsx}', 'test/**/*.js'],
    rules: {
      '@typescript-eslint/no-unused-expressions': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
);
