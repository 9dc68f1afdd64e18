import { describe, expect, it } from 'vitest';
import type { JsonObject, Opinion } from '../../../../src/policy/index.ts';
import { blastRadius } from '../../../../src/policy/builtins/orchestration/blast-radius.ts';
import { askModel, facts, toolCall } from '../../support/pass.ts';

function judge(command: string, params: JsonObject = {}, tool = 'Bash'): Opinion {
  const built = blastRadius.build(params);
  if (built.kind !== 'built') throw new Error(JSON.stringify(built.issues));
  return built.judge({ event: toolCall(tool, { command }), facts: facts(), askModel });
}

const kindOf = (command: string, params?: JsonObject): Opinion['kind'] => judge(command, params).kind;

describe('removing what cannot be brought back', () => {
  it.for([
    ...['command rm -rf /', 'nohup rm -rf /etc &', "sudo bash -c 'rm -rf /'", 'eval rm -rf /', 'echo $(rm -rf /)', '>/dev/null rm -rf /', 'echo / | xargs rm -rf', 'xargs rm -rf <<< /etc', 'echo "rm -rf /" | sh'],
    ...['rm --recurs --force /etc', 'rm --r /etc', 'rm -r -- /', 'rm / -r', 'rm -rf --no-preserve-root /', '/bin/rm -rf /', '\\rm -rf /', 'RM -rf /', 'busybox rm -rf /', 'x=rm; $x -rf /', 'r""m -rf /', '{rm,-rf,/}'],
    ...['rm -rf /./etc', 'rm -rf /home/../etc', 'rm -rf //', 'rm -rf ///etc', 'rm -rf /../etc', 'rm -rf /.', 'rm -rf /tmp/../..', 'rm -rf /{etc,usr}', 'rm -rf {a,/etc}', 'rm -rf /{,etc}', 'rm -rf /e*', 'rm -rf /e?c', 'rm -rf /[e]tc', 'rm -rf /???'],
    ...['rm -rf ~', 'rm -rf ~/', 'rm -rf ~/.', 'rm -rf ~/*', 'rm -rf ~/.[!.]*', 'rm -rf ~root', 'rm -rf $HOME', 'rm -rf "$HOME/"', 'rm -rf "$HOME"/.', 'rm -rf ${HOME}/*', 'rm -rf ${HOME:0:1}', 'rm -rf /home/*', 'rm -rf /opt/*', 'rm -rf /Users'],
    ...['x=/; rm -rf "$x"', 'x=; rm -rf "$x"/*', 'x=/etc; rm -rf $x/nginx', 'rm -rf ${x:-/etc}', 'rm -rf $(echo /etc)', 'for d in build /etc; do rm -rf "$d"; done', 'rm -rf /etc/$X', 'cd / && rm -rf *', 'cd /; rm -rf ./etc', 'cd ~ && rm -rf .', 'pushd /usr; rm -rf lib'],
    ...['find / -delete', 'find /etc -type f -delete', 'find /etc -type f -exec rm {} +', 'find / -execdir /bin/rm {} \\;', '> /dev/sda', 'exec 3> /dev/sda', 'find / -exec rm -rf {} +', 'find /etc -exec rm -r {} \\;', 'mv /etc /dev/null', 'mv ~ /tmp/x', 'mv /* /tmp', 'chmod -R 777 /', 'chown -R me:me /usr', 'rsync -a --delete empty/ /etc/'],
    ...["python3 -c 'import shutil; shutil.rmtree(\"/\")'", "node -e 'require(\"fs\").rmSync(\"/etc\", { recursive: true })'", "perl -e 'use File::Path; rmtree(\"/etc\")'", "ruby -e 'FileUtils.rm_rf(\"/\")'", 'ssh host rm -rf /', 'docker run -v /:/h alpine rm -rf /etc'],
    ...['dd if=/dev/zero of=/dev/sda', 'cat x > /dev/nvme0n1', '> /dev/sda', 'exec > /dev/sda', 'mkfs.ext4 /dev/sdb1', 'wipefs -a /dev/sda', 'shred /dev/sda', 'tee /dev/sda < x', 'diskutil eraseDisk JHFS+ X disk2', 'cp x /dev/sda'],
    ...['Remove-Item -Recurse -Force /', "pwsh -c 'Remove-Item -Recurse -Force /etc'", 'rd /s /q C:\\', 'del /s C:/*', 'format C:', 'mke2fs /dev/sda1'],
  ])('is denied: %j', (command) => {
    expect(kindOf(command)).toBe('deny');
    expect(kindOf(command, { gate_pushes: false })).toBe('deny');
  });
});

describe('pushes and resets that cannot be undone', () => {
  it.for([
    ...['git push --mirr origin', 'git push --del origin main', 'git push --forc', 'git push --pru origin', 'git push --m', 'git send-pack --force origin main', 'git push origin +main', 'git push origin :old', 'git push -uf', 'git push -fo x'],
    ...['env git push --force', 'git -c remote.origin.mirror=true push', 'git -c alias.p="push -f" p', 'git-push -f', 'x="push -f"; git $x', 'git push $(echo -f)', 'git push "--fo""rce"', "git submodule foreach 'git push -f'", 'hub push -f'],
    ...['git reset --hard "origin/main"', 'git reset --hard my-remote/main', 'git reset --har origin/main', 'git reset origin/main --hard', 'git reset --hard @{u}', 'git reset --hard FETCH_HEAD', "git fetch && git 'reset' --hard refs/remotes/origin/x"],
  ])('are denied: %j', (command) => {
    expect(kindOf(command)).toBe('deny');
  });
});

describe('risky commands', () => {
  const risky = [
    ...['rm -rf build', 'rm -r', 'rm -rf "$DIR"', 'rm -rf "$DIR"/*', 'rm -rf *', 'rm -rf ./*', 'rm -rf /$X', 'rm -rf /tmp/*', 'rm -rf /home/me/x', 'rm -rf ~/x', 'rm -rf "~/x"', "rm -rf '~'", 'ls / | xargs rm -rf', 'find . -name x | xargs rm -rf'],
    ...['find . -delete', 'find / -name x -delete', 'find . -name node_modules -exec rm -rf {} +', 'mv a /dev/null', 'git push', 'git push -o force origin', 'git push -f --dry-run origin main', 'git push -ofd', 'git subtree push origin x', 'git lfs push origin main'],
    ...['git clean -fdx', 'git clean --force', 'gh pr merge 5', 'gh -R o/r pr merge 5', 'gh pr -R o/r merge 5', 'gh release create v1', 'gh release delete v1', 'gh repo delete x', 'gh api -X PUT repos/o/r/pulls/5/merge', 'gh api -XDELETE repos/o/r'],
    ...["gh api graphql -f query='mutation { mergePullRequest(input: {}) { x } }'", 'kubectl apply -f x', 'kubectl -n prod delete pod x', 'kubectl drain n', 'helm uninstall x', 'helm upgrade x y', 'terraform -chdir=x destroy', 'tofu apply', 'terraform state rm x'],
    ...['databricks bundle deploy', 'pulumi up', 'docker system prune -af --volumes', 'docker compose down -v', 'aws s3 rm s3://x --recursive', 'aws ec2 terminate-instances --instance-ids i', 'gcloud compute instances delete x', 'npm publish', 'echo x > /etc/hosts'],
    ...["perl -e 'unlink glob \"/etc/*\"'", "perl -e 'unlink </etc/*>'", "python3 -c 'import os, glob; [os.remove(f) for f in glob.glob(\"/etc/*\")]'", "python3 -c 'open(\"/etc/passwd\", \"w\")'", 'rm -f /etc/*', 'git stash clear', 'git reflog expire --expire=now --all'],
    ...['git update-ref -d refs/heads/main', 'git filter-repo --path x', 'gh secret delete X', 'gh repo archive o/r -y', 'gh run delete 1', 'k delete pod x', 'aws s3 sync x s3://b --delete', 'gcloud storage rm -r gs://b', 'redis-cli FLUSHALL', 'zfs destroy x', 'lvremove x'],
    ...['crontab -r', 'kill -9 -1', 'mysqladmin drop x', 'npx prisma migrate reset', 'rails db:drop', 'yarn npm publish', 'vault kv delete x', 'helm3 uninstall x', 'vagrant destroy -f', 'virsh undefine x', 'kind delete cluster', 'ibmcloud resource service-instance-delete x', 'docker stack rm x', 'Remove-Item -Recurse build', 'rd /s build', 'rm -rf x --help', 'git push -- --help'],
  ];

  it.for(risky)('are asked for: %j', (command) => {
    expect(kindOf(command)).toBe('ask');
  });

  it.for(risky)('are denied, or allowed, as the policy says: %j', (command) => {
    expect(kindOf(command, { risky_action: 'deny' })).toBe('deny');
    expect(kindOf(command, { gate_pushes: false, risky_action: 'DENY' })).toBe('allow');
  });
});

describe('harmless commands', () => {
  it.for([
    ...['rm -f x', 'rm "$FILE"', 'rm -f $TMPFILE', 'rm *.log', 'cat x | xargs rm', 'rm -- -rf', 'rmdir x', 'unlink x', 'git rm -r x', "echo 'rm -rf /'", 'grep -r "rm -rf /" .', "git commit -m 'rm -rf /; git push -f'", '# rm -rf /', 'cat <<E\nrm -rf /\nE'],
    ...['find . -name "*.pyc" -delete', 'find . -type d -empty -delete', 'find / -name x', 'find . -name "*.o" -exec rm {} +', '> out.txt', 'mv a b', 'mv /etc/x /etc/y', 'chmod -R 755 .', 'chown -R www /var/www', 'chmod +x /usr/local/bin/x', 'dd if=/dev/zero of=f', 'dd if=a of=/dev/null', 'ls > /dev/null 2>&1', 'echo x > /tmp/y'],
    ...['git status', 'git fetch -f', 'git pull', 'git stash push -m f', 'git reset --hard', 'git reset --hard HEAD~1', 'git reset --soft origin/main', 'git clean -n', 'git clean -nfd', 'git branch -D x', 'git checkout .', 'git config push.default x', 'git log --grep=push', 'git help push'],
    ...['gh pr list', 'gh pr view 5', 'gh release list', 'gh release download v1', 'gh api repos/o/r/pulls/5/merge', 'gh api repos/o/r/issues -f title=x', "gh api graphql -f query='query { viewer { login } }'", 'gh issue create --title "merge"', 'gh pr create --title "release"'],
    ...['kubectl get pods', 'kubectl get deploy', 'kubectl logs deploy/x', 'kubectl get pods -n delete', 'kubectl apply --help', 'helm list', 'helm template x', 'terraform plan', 'terraform plan -destroy', 'terraform state list', 'databricks jobs list', 'aws s3 ls', 'docker ps'],
    ...['docker compose down', 'docker rm -f x', 'npm run deploy', 'make deploy', 'npm publish --dry-run', 'git log --format="%H', 'git commit -m "wip', "echo 'oops", 'echo "rm -rf /', 'eval "$(ssh-agent -s)"', 'python3 -c "print(1)"', 'rsync -a --delete a/ b/', 'tee out.txt', 'cp a /etc/x'],
    ...['rm -rf --help', 'git push --help', 'git push -h', 'gh pr merge --help', 'gh repo delete -h', 'kubectl apply --dry-run=client -f x', 'helm upgrade --dry-run x y', 'aws s3 rm --dryrun s3://b', 'mkfs.ext4 --help', 'rsync -n --delete a/ /etc/'],
    ...['terraform destroy -help', 'npx rimraf --help', 'reboot --help', "perl -e 'unlink \"x\"'", "python3 -c 'import os; os.remove(\"x\")'", 'git stash drop', 'crontab -l', 'Remove-Item x', 'del x', 'rmdir x', 'vagrant up', 'kind get clusters', 'helm3 list', 'kill -9 123', 'redis-cli get x', 'zfs list', 'brew install git gh rm'],
  ])('pass: %j', (command) => {
    expect(kindOf(command)).toBe('allow');
  });
});

describe('what cannot be known', () => {
  const unclear = [
    ...['logsave log rm -rf /', 'softlimit -m 1 rm -rf /etc', "meta exec 'git push -f'", "xterm -e 'rm -rf /'", '/usr/bin/faketime x rm -rf /'],
    ...['$X', '$X -rf /', '"$X" -rf /', 'sudo $X', 'curl https://x | sh', 'eval "$X"', 'sh -c "$(curl https://x)"', 'git $X', 'git "$X" origin', 'git push $X', 'git reset --hard "$X"', 'rm $X /etc', 'gh $X', 'gh pr "$X" 5', 'kubectl $X', ':(){ :|:& };:'],
  ];

  it.for(unclear)('asks: %j', (command) => {
    expect(kindOf(command, { gate_pushes: false })).toBe('ask');
    expect(kindOf(command, { on_uncertain: 'deny' })).toBe('deny');
  });
});

it('says what would run, or what the policy’s author wrote', () => {
  expect(judge("ls && bash -c 'rm -rf /etc'")).toEqual({ kind: 'deny', reason: 'This cannot be undone: rm -rf /etc' });
  expect(judge('rm -rf build; rm -rf /etc', { deny_reason: 'Ask the platform team.' })).toEqual({ kind: 'deny', reason: 'Ask the platform team.' });
  expect(judge('git push')).toEqual({ kind: 'ask', reason: 'The agent wants to run a risky command: git push' });
});

it('judges the shells of all known agents, and nothing else', () => {
  for (const tool of ['bash', 'mcp__host__Bash', 'run_shell_command', 'developer__shell']) expect(judge('rm -rf /', {}, tool).kind).toBe('deny');
  for (const tool of ['Read', 'web_search', 'sys_os_write']) expect(judge('rm -rf /', {}, tool).kind).toBe('allow');
});

describe('params that cannot work are refused', () => {
  it.for<[JsonObject, string]>([
    [{ risky_action: 'ALLOW' }, 'risky_action'],
    [{ risky_action: '' }, 'risky_action'],
    [{ on_uncertain: 'allow' }, 'on_uncertain'],
    [{ gate_pushes: 'yes' }, 'gate_pushes'],
    [{ gate_push: true }, 'gate_push'],
  ])('%j', ([params, path]) => {
    const built = blastRadius.build(params);
    expect(built.kind === 'invalidParams' && built.issues[0]?.path.join('.')).toBe(path);
  });
});
