import path from 'node:path';

const drawer = /^(.+-)?(utils?|utilities|utility|helpers?|common|shared|services?|managers?|misc)$/;
const kebabCase = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$/;

/** Lint rule: folders and files are named in kebab-case, after what they hold. */
export const fileNames = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: {
      drawer: '"{{name}}" is a drawer: anything fits, so nothing is found. Name the noun that the code is about, or move each function to the file of its only user.',
      kebabCase: '"{{name}}" is not kebab-case. Name the file after its main export: resolveElicitation lives in resolve-elicitation.ts.',
    },
  },
  create: (context) => ({
    Program(node) {
      for (const name of path.relative(context.cwd, context.filename).split(path.sep)) {
        const stem = name.replace(/\..*$/, '');
        if (drawer.test(stem)) context.report({ node, messageId: 'drawer', data: { name } });
        else if (!name.startsWith('.') && !kebabCase.test(name)) context.report({ node, messageId: 'kebabCase', data: { name } });
      }
    },
  }),
};
