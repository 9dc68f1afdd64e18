/** Who may import whom. A type import counts: whoever needs a room's types depends on that room. */
const rooms = {
  policy: { mayImport: [], why: 'policy is pure: it gets what it needs as arguments. Give the handler a fact (Facts in policy/handler.ts) instead.' },
  entities: { mayImport: ['policy/'], why: 'entities know the words of policy and nothing else. Move what needs more to gate.' },
  gate: { mayImport: ['entities/', 'policy/'], why: 'gate holds the rules and knows no transport. Take what you need as a field of Gate; main.ts fills it.' },
  events: { mayImport: ['gate/events.ts'], why: 'events implement the port in gate/events.ts. Put what both sides need into the port.' },
  model: { mayImport: ['gate/model.ts'], why: 'the model implements the port in gate/model.ts. Put what both sides need into the port; main.ts passes the settings.' },
  telemetry: { mayImport: ['gate/instruments.ts'], why: 'telemetry implements the port in gate/instruments.ts. Put what both sides need into the port.' },
  modules: { mayImport: ['policy/'], why: 'modules loads handlers that others wrote. What is done with them is main.ts’ and the commands’ business.' },
  graphql: { mayImport: ['gate/', 'entities/', 'policy/'], why: 'graphql maps the contract on the gate. What needs the server or the environment comes in through the context.' },
  http: { mayImport: ['graphql/', 'gate/'], why: 'http serves the schema. Reach data through a use case in gate; take settings as arguments, main.ts passes them.' },
  sdk: { mayImport: [], why: 'sdk speaks schema.graphql only, as a program elsewhere would. Generate the types from the schema.' },
  adapters: { mayImport: ['sdk/'], why: 'adapters put the sdk into the words of agent frameworks. Add the operation there.' },
  hooks: { mayImport: ['sdk/'], why: 'hooks speak to the server through the sdk. Add the operation there.' },
  mcp: { mayImport: ['sdk/'], why: 'the MCP gateway speaks to the server through the sdk. Take what the command knows as an argument (docs/adr/0025).' },
  cli: { mayImport: ['sdk/', 'hooks/', 'mcp/', 'policy/', 'modules/', 'config.ts', 'main.ts'], why: 'commands compose what main.ts offers, or speak to a server through the sdk (docs/adr/0006).' },
  elements: { mayImport: ['sdk/'], why: 'elements are what console and widget both show (docs/adr/0026). They speak to the server through the sdk.' },
  widget: { mayImport: ['sdk/', 'elements/'], why: 'the widget speaks to the server through the sdk. Add the operation there; what the console shows too is an element.' },
  console: { mayImport: ['sdk/', 'elements/', 'policy/shell/'], why: 'the console speaks to the server through the sdk. Add the operation there. Of policy it reads the shell only, to show a command line as policies see it (docs/adr/0026).' },
};

/** npm packages by room, where the room has a list of its own. Any other room may import what package.json's `dependencies` name. */
const policyPackages = ['zod', 'unbash', '@noble/hashes', 'canonicalize', '@bufbuild/cel', '@bufbuild/re2'];

/** Rooms that are built with the libraries that they use. */
const bundled = '^src/(elements|widget|console)/';

const escape = (path) => path.replaceAll('.', '\\.');

const roomRules = Object.entries(rooms).map(([room, { mayImport, why }]) => ({
  name: `room-${room}`,
  comment: why,
  severity: 'error',
  from: { path: `^src/${room}/` },
  to: { path: '^src/', pathNot: [`${room}/`, ...mayImport].map((path) => `^src/${escape(path)}`) },
}));

module.exports = {
  forbidden: [
    ...roomRules,
    {
      name: 'policy-pure',
      comment: `policy runs anywhere, also in a browser: of all packages only ${policyPackages.join(', ')}, and nothing of Node. Take the value as an argument.`,
      severity: 'error',
      from: { path: '^src/policy/' },
      to: { pathNot: ['^src/', ...policyPackages.map((name) => `^node_modules/${name}/`)] },
    },
    {
      name: 'known-room',
      comment: 'each file under src lives in a room of docs/adr/0001, or is main.ts, config.ts or its schema. Find its room, or add one to .config/boundaries.cjs with an ADR.',
      severity: 'error',
      from: { path: '^src/', pathNot: [...Object.keys(rooms).map((room) => `^src/${room}/`), '^src/(main|config|config-schema)\\.ts$'] },
      to: {},
    },
    {
      name: 'config-alone',
      comment: 'config.ts parses the environment, by the schema beside it, and knows nothing of us. Do the rest where the value is used.',
      severity: 'error',
      from: { path: '^src/config(-schema)?\\.ts$' },
      to: { path: '^src/', pathNot: '^src/config-schema\\.ts$' },
    },
    {
      name: 'config-readers',
      comment: 'only main.ts, commands and mikro-orm.config.ts read the configuration. Take the value as an argument; main.ts passes it.',
      severity: 'error',
      from: { path: '^(src|examples)/', pathNot: ['^src/main\\.ts$', '^src/cli/'] },
      to: { path: '^src/config\\.ts$' },
    },
    {
      name: 'main-callers',
      comment: 'main.ts is the composition root: only commands start it. Take what you need as an argument; main.ts passes it.',
      severity: 'error',
      from: { path: '^(src|examples)/', pathNot: '^src/cli/' },
      to: { path: '^src/main\\.ts$' },
    },
    {
      name: 'orm-config',
      comment: "mikro-orm.config.ts is for MikroORM's own CLI: it joins src/config.ts and src/entities. Put anything else into one of the two.",
      severity: 'error',
      from: { path: '^mikro-orm\\.config\\.ts$' },
      to: { path: '^(src|test|examples)/', pathNot: ['^src/config\\.ts$', '^src/entities/'] },
    },
    {
      name: 'src-alone',
      comment: 'what is outside src is not in the package. Move what src needs into the room that owns it.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(test|examples|\\.config|docs|dist)/|^[^/]+\\.ts$' },
    },
    {
      name: 'examples-outside',
      comment: "examples are a user's programs: they import packages and start or call the server as a user does.",
      severity: 'error',
      from: { path: '^examples/' },
      to: { path: '^(src|test|\\.config)/|^[^/]+\\.ts$' },
    },
    {
      name: 'runtime-packages',
      comment: "the package installs without devDependencies. Move this one to `dependencies`, with a line in docs/adr/0005, or do without.",
      severity: 'error',
      from: { path: '^src/', pathNot: bundled },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['npm', 'npm-peer', 'type-only'] },
    },
    {
      name: 'named-packages',
      comment: 'this package is only there because another one needs it. Name it in package.json, or do without.',
      severity: 'error',
      from: { path: '^(src|test|examples)/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['npm-peer'] }, // an optional peer is named twice, which is taken for not at all
    },
    {
      name: 'resolvable',
      comment: 'nothing is there. Correct the path (with its .ts), or name the package in package.json.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^countersign/' }, // ourselves, as users name us
    },
    {
      name: 'no-circular',
      comment: 'two files that need each other are one file, or a third holds what both need.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: '^(node_modules|dist)/' }, // what examples import of the built package is the package's own affair
    exclude: { path: '^examples/codegen-consumer/' }, // a project of its own, with generated code that is not there
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
