import { z } from 'zod';

const repositories = z.array(z.string()).nullable();

export const githubParams = z.object({
  read_all: z.boolean().default(true).meta({
    title: 'Read everything',
    description: 'Whether every repository may be read. When off, only those in read_repos.',
  }),
  read_repos: repositories.default(null).meta({
    title: 'Readable repositories',
    description: 'Repositories that may be read when read_all is off: owner/repo, or a GitHub URL. What names no single repository, such as owner/*, allows none.',
  }),
  write_repos: repositories.default(null).meta({
    title: 'Writable repositories',
    description: 'Repositories that may be written: owner/repo, or a GitHub URL. None given: nothing may be written. What names no single repository, such as owner/*, allows none.',
  }),
  write_branches: z.array(z.string()).nullable().default(null).meta({
    title: 'Writable branches',
    description: 'Exact names of the branches that may be written, letter case counts. None given: all.',
  }),
  allow_destructive: z.boolean().default(false).meta({
    title: 'Allow deletions',
    description: 'Whether deletions of files, branches, releases, repositories and the like follow the ordinary rules for writes. When off, they are denied.',
  }),
  deny_tag_push: z.boolean().default(true).meta({ title: 'Deny tags', description: 'Denies pushing and creating tags, also by creating a release.' }),
  deny_force_push: z.boolean().default(true).meta({ title: 'Deny forced pushes', description: 'Denies pushes that rewrite history.' }),
  mcp_tool_prefixes: z.array(z.string()).nullable().default(null).meta({
    title: 'Prefixes of MCP tools',
    description: 'With what the names of GitHub’s MCP tools begin. Default: mcp__github__ and github__, and the spellings of other agents for a server whose name holds “github”.',
  }),
  shell_tools: z.array(z.string()).nullable().default(null).meta({
    title: 'Shell tools',
    description: 'Names of the tools that run a command line. Default: the shell tools of the known agents.',
  }),
  on_uncertain: z.enum(['ask', 'deny']).default('ask').meta({
    title: 'When in doubt',
    description: 'What to do when a command may write to GitHub, but not what it writes to can be known from its text.',
  }),
  deny_reason: z.string().optional().meta({ title: 'Reason for denials', description: 'Text that a denial gives instead of its own reason.' }),
});

export type GithubParams = z.output<typeof githubParams>;
