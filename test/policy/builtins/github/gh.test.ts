import { describe, expect, it } from 'vitest';
import { readSome, verdictOf, writeApp, writeBranches } from './verdict-of.ts';

describe('writing elsewhere with gh is denied', () => {
  it.for([
    'gh pr merge 1 -R evil/x',
    '/usr/bin/gh pr merge 1 --repo evil/x',
    'gh.exe pr merge 1 -R evil/x',
    'gh --repo evil/x pr merge 1',
    'gh -R evil/x pr merge 1',
    'gh pr --repo evil/x merge 1',
    'gh pr -R=evil/x merge 1',
    'gh pr merge 1 -Revil/x',
    'gh pr merge -sR evil/x 1',
    'gh pr merge 1 -R github.com/evil/x',
    'gh pr merge 1 -R https://github.com/evil/x',
    'gh pr merge 1 -R git@github.com:evil/x.git',
    'gh pr merge 1 -R octo/app -R evil/x',
    'gh pr merge https://github.com/evil/x/pull/1',
    'gh pr merge https://github.com/evil/x/pull/1 -R octo/app',
    'gh pr merge https://GITHUB.com/evil/x/pull/1',
    'gh pr merge -- https://github.com/evil/x/pull/1',
    'gh pr merge --squash https://github.com/evil/x/pull/1',
    'gh pr new -R evil/x',
    'gh pr revert 1 -R evil/x',
    'gh pr update-branch 1 -R evil/x',
    'gh pr comment 1 -R evil/x --body "see https://github.com/octo/app/pull/1"',
    'gh issue new -R evil/x',
    'gh issue develop 1 -R evil/x',
    'gh issue transfer 1 evil/x -R octo/app',
    'gh issue pin https://github.com/evil/x/issues/1',
    'gh repo create evil/x --public',
    'gh repo edit evil/x --visibility private',
    'gh repo fork evil/x',
    'gh repo rename new -R evil/x',
    'gh repo archive evil/x -y',
    'gh repo unarchive evil/x',
    'gh repo sync evil/x',
    'gh repo deploy-key add k.pub -R evil/x',
    'gh repo autolink create JIRA- https://jira/x -R evil/x',
    'gh label clone octo/app -R evil/x',
    'gh secret set X -R evil/x',
    'gh variable set X -b y -R evil/x',
    'gh release create v1 -R evil/x',
    'gh release upload v1 a.zip --repo=evil/x',
    'gh workflow run ci.yml -R evil/x',
    'gh run rerun 1 -R evil/x',
    'gh codespace create -R evil/x',
    'gh cs create --repo evil/x',
    'gh agent-task create "do it" -R evil/x',
    'gh pr frobnicate-create 1 -R evil/x || gh issue create -R evil/x',
    'GH_REPO=evil/x gh pr merge 1',
    'GH_REPO=https://github.com/evil/x gh issue create -t x',
    'GH_REPO=evil/x gh api repos/{owner}/{repo}/issues -f title=x',
    "gh alias set m 'pr merge' && gh m 1 -R evil/x",
    "gh alias set --shell m 'gh pr merge $1 -R evil/x'; gh m 1",
    "gh alias set m '!gh pr merge -R evil/x'; gh m 1",
    'for i in 1 2; do gh issue close $i -R evil/x; done',
  ])('%s', (command) => {
    expect(verdictOf(command)).toBe('deny');
  });
});

describe('deleting with gh is denied', () => {
  it.for([
    'gh repo delete octo/app --yes',
    'gh repo delete',
    'gh release delete v1 -R octo/app',
    'gh release delete-asset v1 a.zip -R octo/app',
    'gh secret remove X -R octo/app',
    'gh variable remove X -R octo/app',
    'gh label delete bug -R octo/app',
    'gh repo deploy-key delete 1 -R octo/app',
    'gh repo autolink delete 1 -R octo/app',
    'gh project field-delete --id 1 -R octo/app',
    'gh pr close 5 -R octo/app --delete-branch',
    'gh pr close 5 -R octo/app -d',
    'gh pr merge 5 -R octo/app -sd',
    'gh cache delete --all -R octo/app',
    'hub delete octo/app',
    'hub delete -y evil/x',
    'gh api -X DELETE repos/octo/app',
    'gh api --method delete /repos/octo/app/git/refs/heads/main',
    'gh api -X DELETE repos/octo/app/contents/a.txt -f sha=1',
  ])('%s', (command) => {
    expect(verdictOf(command)).toBe('deny');
  });

  it('unless it is allowed, and then follows the rules for writes', () => {
    const free = { ...writeApp, allow_destructive: true };
    expect(verdictOf('gh repo delete octo/app', free)).toBe('abstain');
    expect(verdictOf('gh repo delete evil/x', free)).toBe('deny');
    expect(verdictOf('gh repo delete', free)).toBe('ask');
    expect(verdictOf('gh pr merge 5 -R octo/app --delete-branch', free)).toBe('abstain');
    expect(verdictOf('gh api -X DELETE repos/octo/app/releases/1', free)).toBe('abstain');
    expect(verdictOf('hub delete octo/app', free)).toBe('abstain');
  });

  it('does not mean taking a label or a flag away', () => {
    expect(verdictOf('gh api -X DELETE repos/octo/app/issues/1/labels/bug')).toBe('abstain');
    expect(verdictOf('gh api -X DELETE repos/octo/app/issues/1/lock')).toBe('abstain');
    expect(verdictOf('gh pr merge 5 -R octo/app --delete-branch=false')).toBe('abstain');
    expect(verdictOf('gh issue edit 1 -R octo/app --remove-label bug')).toBe('abstain');
  });
});

describe('a release makes a tag, and is denied where tags are', () => {
  it.for([
    ['gh release create v1 -R octo/app', 'deny'],
    ['gh release new v1 -R octo/app', 'deny'],
    ['gh release edit v1 --tag v2 -R octo/app', 'deny'],
    ['gh release create v1 --verify-tag -R octo/app', 'abstain'],
    ['gh release edit v1 --draft=false -R octo/app', 'abstain'],
    ['gh release create v1', 'ask'],
    ['gh api repos/octo/app/releases -f tag_name=v1', 'deny'],
    ['gh api repos/octo/app/git/refs -f ref=refs/tags/v1 -f sha=1', 'deny'],
    ['gh api repos/octo/app/git/refs -f ref=refs/heads/x -f sha=1', 'abstain'],
  ] as const)('%s: %s', ([command, verdict]) => {
    expect(verdictOf(command)).toBe(verdict);
  });

  it('and passes where tags are allowed', () => {
    expect(verdictOf('gh release create v1 -R octo/app', { ...writeApp, deny_tag_push: false })).toBe('abstain');
  });
});

describe('history is not rewritten through gh either', () => {
  it.for(['gh repo sync octo/app --force', 'gh api -X PATCH repos/octo/app/git/refs/heads/main -f sha=1 -F force=true'])('%s', (command) => {
    expect(verdictOf(command)).toBe('deny');
  });
});

describe('what does not tell where it writes is asked about', () => {
  it.for([
    'gh pr merge 1',
    'gh pr merge',
    'gh pr create --fill',
    'gh issue create --title x --body y',
    'gh pr merge "$PR" -R octo/app',
    'gh pr merge $ARGS -R octo/app',
    'gh pr merge 1 -R "$REPO"',
    'gh pr merge 1 -R octo/$NAME',
    'gh $CMD 1 -R octo/app',
    'gh pr $CMD 1 -R octo/app',
    'gh pr merge 1 -R octo',
    'gh pr merge 1 -R ghe.corp.io/octo/app',
    'gh pr merge 1 -R GitHub.com/octo/app',
    'GH_HOST=ghe.evil.io gh pr merge 1 -R octo/app',
    'GH_REPO="$REPO" gh pr merge 1',
    'gh repo create app',
    'gh repo fork',
    'gh secret set X --org octo',
    'gh secret set X --user',
    'gh secret set X -u -R octo/app',
    'gh project copy 1 --owner evil',
    'gh project link 1 --owner evil --repo octo/app',
    'gh gist create a.txt',
    'gh gist rename 1 a b',
    'gh codespace ssh',
    'gh codespace ssh -R octo/app -- git push',
    'gh codespace cp a remote:b',
    'gh extension exec dash',
    'gh dash',
    'gh m 1 -R octo/app',
    'gh auth token',
    'gh auth status --show-token',
    'gh auth status -t',
    'gh auth git-credential get',
    'hub pull-request -m x',
    'hub release create v1',
    'hub create x',
    'jj git push --remote origin',
    'gt submit',
    'sl push',
    'gh copilot suggest x; gh release upload v1 a.zip',
  ])('%s', (command) => {
    expect(verdictOf(command)).toBe('ask');
  });
});

describe('writing to a writable repository passes', () => {
  it.for([
    'gh pr create -R octo/app --title x --body "closes https://github.com/evil/x/issues/1"',
    'gh pr create -R octo/app -t x -b https://github.com/evil/x/issues/1',
    'gh pr create -R octo/app --title "$(git log -1 --format=%s)" --body "$BODY"',
    'gh pr comment 5 -R octo/app --body "gh repo delete evil/x"',
    'gh pr comment https://github.com/octo/app/pull/5 -b ok',
    'gh pr close 5 -R octo/app -c https://github.com/evil/x/pull/1',
    'gh pr review 5 -R octo/app -a -b https://github.com/evil/x',
    'gh pr review 5 -R octo/app --comment -b "see evil/x"',
    'gh pr merge 5 -R octo/app -s',
    'gh repo edit octo/app -d https://github.com/evil/x --homepage https://github.com/evil/x',
    'gh repo create octo/app --template evil/template --private',
    'gh repo sync octo/app --source evil/x',
    'gh issue develop 5 -R octo/app',
    'gh label create "$NAME" -R octo/app',
    'gh secret set X --env prod -R octo/app < key',
    'gh workflow run ci.yml -R octo/app -f repo=evil/x',
    'gh workflow run ci.yml -R octo/app -f url=https://github.com/evil/x',
    'gh release upload v1 "$FILE" -R octo/app',
    'gh issue transfer 1 octo/app -R octo/app',
    'GH_REPO=octo/app gh pr merge 1',
    'GH_HOST=github.com gh pr merge 1 -R octo/app',
    'GH_TOKEN=x gh pr merge 1 -R octo/app',
    "gh alias set m 'pr merge' && gh m 1 -R octo/app",
  ])('%s', (command) => {
    expect(verdictOf(command)).toBe('abstain');
  });
});

describe('branches', () => {
  it.for([
    ['gh pr create -R octo/app --base main', 'abstain'],
    ['gh pr create -R octo/app -Bmain --head prod', 'abstain'],
    ['gh pr create -R octo/app --base=prod', 'deny'],
    ['gh pr create -R octo/app -B "$BASE"', 'ask'],
    ['gh pr edit 1 -R octo/app -B prod', 'deny'],
    ['gh pr merge 1 -R octo/app', 'ask'],
    ['gh pr update-branch 1 -R octo/app', 'ask'],
    ['gh repo sync octo/app', 'ask'],
    ['gh repo sync octo/app --branch main', 'abstain'],
    ['gh repo sync octo/app -b prod', 'deny'],
    ['gh issue develop 1 -R octo/app --name prod', 'deny'],
    ['gh issue develop 1 -R octo/app', 'ask'],
    ['gh workflow run ci.yml -R octo/app --ref prod', 'deny'],
    ['gh issue create -R octo/app -t x', 'abstain'],
    ['gh api repos/octo/app/contents/a -X PUT -f branch=main', 'abstain'],
    ['gh api repos/octo/app/contents/a -X PUT -f branch=prod', 'deny'],
    ['gh api repos/octo/app/contents/a -X PUT -f message=x', 'ask'],
    ['gh api repos/octo/app/contents/a -X PUT --input body.json', 'ask'],
    ['gh api repos/octo/app/pulls/5/merge -X PUT', 'ask'],
    ['gh api repos/octo/app/merges -f base=prod -f head=x', 'deny'],
    ['gh api repos/octo/app/git/refs/heads/prod -X PATCH -f sha=1', 'deny'],
    ['gh api repos/octo/app/git/refs/heads/feature/x -X PATCH -f sha=1', 'deny'],
    ['gh api repos/octo/app/git/refs/heads/main -X PATCH -f sha=1', 'abstain'],
    ['gh api repos/octo/app/branches/prod/rename -f new_name=x', 'deny'],
    ['gh api repos/octo/app/issues -f title=x', 'abstain'],
  ] as const)('%s: %s', ([command, verdict]) => {
    expect(verdictOf(command, writeBranches)).toBe(verdict);
  });
});

describe('gh api', () => {
  it.for([
    ['gh api repos/evil/x/issues', 'abstain'],
    ['gh api repos/evil/x/issues -XGET -f q=x', 'abstain'],
    ['gh api --method=HEAD repos/evil/x', 'abstain'],
    ['gh api user', 'abstain'],
    ['gh api repos/evil/x/issues -XPOST', 'deny'],
    ['gh api -X=DELETE repos/evil/x', 'deny'],
    ['gh api -iXPOST repos/evil/x/issues', 'deny'],
    ['gh api --method PATCH repos/evil/x/issues/1', 'deny'],
    ['gh api --method=patch repos/evil/x/issues/1', 'deny'],
    ['gh api repos/evil/x/issues -ftitle=t', 'deny'],
    ['gh api repos/evil/x/issues -Ftitle=@t', 'deny'],
    ['gh api repos/evil/x/issues --raw-field=title=t', 'deny'],
    ['gh api repos/evil/x/issues --input -', 'deny'],
    ['gh api repos/evil/x/issues --input=body.json', 'deny'],
    ['gh api -H "Accept: x" -q .id -p nebula repos/evil/x/issues -f a=b', 'deny'],
    ['gh api https://api.github.com/repos/evil/x/issues -f a=b', 'deny'],
    ['gh api https://API.github.com/repos/evil/x/issues -f a=b', 'deny'],
    ['gh api "repos/evil/x/issues?per_page=1" -f a=b', 'deny'],
    ['gh api repos/octo/app/../../evil/x/issues -f a=b', 'deny'],
    ['gh api repos/octo/app/../../../repos/evil/x/issues -f a=b', 'deny'],
    ['gh api repos/octo%2Fapp/issues -f a=b', 'ask'],
    ['gh api repos/octo/app/issues -X POST', 'abstain'],
    ['gh api /repos/OCTO/app/issues -f a=https://github.com/evil/x', 'abstain'],
    ['gh api repos/{owner}/{repo}/issues -f a=b', 'ask'],
    ['gh api repos/:owner/:repo/issues -f a=b', 'ask'],
    ['gh api repositories/1234/issues -f a=b', 'ask'],
    ['gh api orgs/octo/repos -f name=x', 'ask'],
    ['gh api user/repos -f name=x', 'ask'],
    ['gh api --hostname ghe.evil.io repos/octo/app/issues -f a=b', 'ask'],
    ['gh api --hostname github.com repos/octo/app/issues -f a=b', 'abstain'],
    ['gh api repos/octo/app/issues -X "$METHOD"', 'ask'],
    ['gh api repos/evil/x/issues -X "$METHOD"', 'ask'],
    ['gh api "repos/$REPO/issues" -f a=b', 'ask'],
    ['gh api "$URL" -f a=b', 'ask'],
    ['gh api "$URL"', 'abstain'],
    ['gh api -H "X-HTTP-Method-Override: DELETE" repos/octo/app', 'ask'],
    ["gh api graphql -f query='mutation { x }'", 'ask'],
    ['gh api graphql --input q.json', 'ask'],
    ['gh api --help', 'abstain'],
  ] as const)('%s: %s', ([command, verdict]) => {
    expect(verdictOf(command)).toBe(verdict);
  });
});

describe('reading with gh where reading is limited', () => {
  it.for([
    ['gh pr list -R octo/docs', 'abstain'],
    ['gh pr list -R evil/x', 'deny'],
    ['gh pr list', 'ask'],
    ['gh repo view octo/docs', 'abstain'],
    ['gh repo clone evil/x', 'deny'],
    ['gh repo clone octo/app dir/sub -- --depth 1', 'abstain'],
    ['gh pr view https://github.com/evil/x/pull/1', 'deny'],
    ['gh api repos/evil/x', 'deny'],
    ['gh api repos/octo/app/pulls --paginate', 'abstain'],
    ['gh run download 1 -n evil/x -R octo/app', 'abstain'],
    ['GH_REPO=evil/x gh pr list', 'deny'],
    ['gh auth status', 'abstain'],
    ['gh search issues --repo evil/x bug', 'abstain'],
  ] as const)('%s: %s', ([command, verdict]) => {
    expect(verdictOf(command, readSome)).toBe(verdict);
  });
});
