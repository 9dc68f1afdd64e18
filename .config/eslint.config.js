import tseslint from 'typescript-eslint';
import { fileNames } from './file-names.js';

const noDefaultExport = [
  {
    selector: 'ExportDefaultDeclaration, ExportSpecifier[exported.name="default"]',
    message: 'Export by name, so that the thing has one name in every file. Only *.config.ts may export a default, because its tool demands it.',
  },
];

const noAmbientTime = [
  {
    selector: 'NewExpression[callee.name="Date"][arguments.length=0], CallExpression[callee.object.name="Date"][callee.property.name="now"]',
    message: 'Take the time from `gate.now()`, or from an argument where there is no gate: tests set the clock. Only src/main.ts reads the real one, and src/elements/now.ts in a page.',
  },
];

const noAmbientEnvironment = [
  {
    selector: 'MemberExpression[object.name="process"][property.name="env"], ImportDeclaration[source.value="node:process"] > ImportSpecifier[imported.name="env"]',
    message: 'Add a key to the schema in src/config.ts and pass the parsed value on: only src/config.ts reads the environment, and src/hooks/environment.ts for hooks.',
  },
];

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', '.cache/', 'src/sdk/generated.ts', 'examples/codegen-consumer/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: `${import.meta.dirname}/..` } },
    plugins: { house: { rules: { 'file-names': fileNames } } },
    rules: {
      'house/file-names': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'max-lines': ['error', { max: 250, skipBlankLines: true, skipComments: true }],
      'no-restricted-syntax': ['error', ...noDefaultExport],

      '@typescript-eslint/max-params': ['error', { max: 3 }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',

      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true }],
      '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: 'only-allowed-literals' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // A function that promises to return a promise is `async` even where it awaits nothing, so that a throw becomes a rejection.
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    files: ['src/**/*.ts'],
    rules: { 'no-console': 'error', 'no-restricted-syntax': ['error', ...noDefaultExport, ...noAmbientTime, ...noAmbientEnvironment] },
  },
  {
    // What runs in a page has types of its own, without Node's.
    files: ['src/{elements,widget,console}/**/*.ts', 'examples/widget-in-react/*.ts'],
    languageOptions: { parserOptions: { projectService: false, project: ['.config/tsconfig.browser.json'] } },
    rules: { '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }] }, // a newer server may answer what we do not know
  },
  { files: ['src/elements/now.ts'], rules: { 'no-restricted-syntax': ['error', ...noDefaultExport] } },
  { files: ['src/main.ts'], rules: { 'no-restricted-syntax': ['error', ...noDefaultExport, ...noAmbientEnvironment] } },
  { files: ['src/config.ts', 'src/hooks/environment.ts'], rules: { 'no-restricted-syntax': ['error', ...noDefaultExport, ...noAmbientTime] } },
  { files: ['**/*.config.ts'], rules: { 'no-restricted-syntax': 'off' } },
  {
    files: ['src/entities/migrations/**/*.ts'],
    rules: { 'house/file-names': 'off', 'max-lines': 'off' },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      'max-lines': 'off',
      // What a test reads off the wire is judged by its assertions, not by its type.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      // Tests hand the methods of closures around; a method that needed its `this` would fail them at once.
      '@typescript-eslint/unbound-method': 'off',
    },
  },
);
