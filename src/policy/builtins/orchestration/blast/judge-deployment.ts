import { mightBe, type ShellCommand, type Word } from '../../../shell/command-line.ts';
import type { Tier } from './tier.ts';

/** Programs that change running systems or publish: which of their words do so. */
export function judgeDeployment({ program, words }: ShellCommand): Tier | null {
  const rule = rules.get(program);
  if (!rule) return null;
  const operands = operandsOf(words, rule.valued ?? common);
  const reached = operands.slice(0, rule.depth ?? 1);
  if (words.some(({ text }) => text === '--help' || (rule === publisher && text === '--dry-run'))) return null;
  if (reached.some((word) => word.certain && rule.actions.test(word.text))) return 'risky';
  if (rule.option?.test(words.map((word) => word.text).join(' '))) return 'risky';
  return reached.some((word) => !word.certain && candidates.some((name) => rule.actions.test(name) && (word.plural || mightBe(word, name)))) ? 'uncertain' : null;
}

interface Rule {
  readonly actions: RegExp;
  /** How many words may hold the action. */
  readonly depth?: number;
  /** Options that take a value. */
  readonly valued?: ReadonlySet<string>;
  /** A risky option wherever it stands. */
  readonly option?: RegExp;
}

const candidates = ['apply', 'delete', 'destroy', 'deploy', 'prune', 'publish', 'push', 'rm'];

const common: ReadonlySet<string> = new Set([
  ...['-n', '--namespace', '--context', '--kubeconfig', '-l', '--selector', '-o', '--output', '-f', '--filename', '-s', '--server', '--user', '--cluster', '--token'],
  ...['--kube-context', '-p', '--profile', '--project', '--region', '--zone', '-t', '--target', '-H', '--host', '-c', '--config', '--stack', '-a', '--app', '-v'],
]);

const kubectl: Rule = { actions: /^(apply|delete|replace|drain|patch|scale|edit|rollout-x|destroy|deploy)$/, option: /\brollout (restart|undo)\b/ };
const helm: Rule = { actions: /^(delete|del|un|uninstall|upgrade|install|rollback|apply|deploy|destroy)$/ };
const terraform: Rule = { actions: /^(apply|destroy|import|taint|force-unlock)$/, option: /\bstate (rm|push)\b|\bworkspace delete\b|\brun-all (apply|destroy)\b/ };
const docker: Rule = { actions: /^(push)$/, option: /\b(system|volume|image|container|network|builder|buildx) prune\b|\b(volume|stack) rm\b|\bswarm leave\b|\bdown\b.* (-v|--volumes)\b/ };
const machines: Rule = { actions: /^(delete|destroy|terminate|undefine|unregistervm|[\w-]+-delete)$/, depth: 4 };
const publisher: Rule = { actions: /^(publish|unpublish|upload|push|yank)$/, option: /\bnpm publish\b/ };
const always: Rule = { actions: /./ };

const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ...['kubectl', 'oc', 'k', 'k3s', 'microk8s'].map((name): [string, Rule] => [name, kubectl]),
  ...['helm', 'helm3'].map((name): [string, Rule] => [name, helm]),
  ['helmfile', { actions: /^(apply|sync|destroy|delete)$/ }],
  ['kustomize', { actions: /^(apply|deploy|delete)$/ }],
  ...['terraform', 'tofu', 'terragrunt'].map((name): [string, Rule] => [name, terraform]),
  ['pulumi', { actions: /^(up|update|destroy|cancel)$/, option: /\bstack rm\b/ }],
  ['databricks', { actions: /^(apply|deploy|destroy|delete)(-[\w-]+)?$/, depth: 3 }],
  ...['cdk', 'sam', 'sls', 'serverless', 'firebase', 'wrangler', 'netlify', 'fly', 'flyctl', 'amplify', 'eb', 'copilot', 'skaffold', 'cap'].map((name): [string, Rule] => [
    name,
    { actions: /^(deploy|destroy|remove|delete|publish|terminate|run-x)$/, depth: 2 },
  ]),
  ['vercel', { actions: /^(deploy|remove|rm|promote|rollback)$/, option: /--prod\b/ }],
  ['gcloud', { actions: /^(delete|deploy|destroy|reset|rm)$/, depth: 4 }],
  ...['linode-cli', 'hcloud', 'ibmcloud', 'oci', 'scw', 'civo', 'vultr-cli', 'openstack', 'vagrant', 'virsh', 'multipass', 'lxc', 'incus', 'vboxmanage', 'flux', 'kind', 'minikube', 'k3d'].map((name): [string, Rule] => [name, machines]),
  ['gsutil', { actions: /^(rm|rb)$/ }],
  ['aws', { actions: /^(rm|rb|(delete|terminate|deregister|purge)-[\w-]+|deploy)$/, depth: 3, option: /\bs3 sync\b.* --delete\b/ }],
  ['az', { actions: /^(delete|purge)$/, depth: 4 }],
  ['doctl', { actions: /^(delete|destroy|d|rm)$/, depth: 4 }],
  ['eksctl', { actions: /^(delete)$/ }],
  ['kops', { actions: /^(delete)$/ }],
  ['argocd', { actions: /^(sync|delete|rollback)$/, depth: 2 }],
  ['heroku', { actions: /^(apps:destroy|apps:delete|pg:reset|destroy|ps:restart-x|releases:rollback)$/ }],
  ...['docker', 'podman', 'nerdctl', 'docker-compose', 'podman-compose'].map((name): [string, Rule] => [name, docker]),
  ...['npm', 'pnpm', 'yarn', 'cargo', 'twine', 'gem', 'poetry', 'uv', 'flit', 'hatch'].map((name): [string, Rule] => [name, publisher]),
  ...['dropdb', 'lvremove', 'vgremove', 'pvremove', 'userdel', 'deluser'].map((name): [string, Rule] => [name, always]),
  ...['zfs', 'zpool'].map((name): [string, Rule] => [name, { actions: /^destroy$/ }]),
  ['btrfs', { actions: /^delete$/, depth: 2 }],
  ['mysqladmin', { actions: /^drop$/, depth: 3 }],
  ['redis-cli', { actions: /^(flushall|flushdb)$/i, depth: 2 }],
  ...['vault', 'consul'].map((name): [string, Rule] => [name, { actions: /^delete$/, depth: 2 }]),
  ['nomad', { actions: /^(stop|run)$/, depth: 2 }],
  ...['rails', 'rake'].map((name): [string, Rule] => [name, { actions: /^db:(drop|reset)(:|$)/ }]),
  ['prisma', { actions: /^$/, option: /\bmigrate reset\b|--force-reset\b/ }],
  ['supabase', { actions: /^$/, option: /\bdb reset\b|\bprojects delete\b/ }],
  ...['mvn', 'gradle', 'gradlew'].map((name): [string, Rule] => [name, { actions: /^(deploy|publish)$/, depth: 3 }]),
  ['goreleaser', { actions: /^release$/ }],
  ['crontab', { actions: /^$/, option: /(?:^| )-[a-z]*r/ }],
  ...['init', 'telinit'].map((name): [string, Rule] => [name, { actions: /^[016]$/ }]),
  ['kill', { actions: /^$/, option: /^-\S+ (?:-- )?-1$/ }],
]);

function operandsOf(words: readonly Word[], valued: ReadonlySet<string>): readonly Word[] {
  const operands: Word[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (!word) break;
    if (!word.text.startsWith('-')) operands.push(word);
    else if (valued.has(word.text)) at += 1;
  }
  return operands;
}
