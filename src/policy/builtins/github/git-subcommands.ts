/** Subcommands of git’s own that stay on the machine, or that hand nothing to a remote. Git lets no alias take their names. */
export const localSubcommands: ReadonlySet<string> = new Set(
  (
    'add am annotate apply bisect blame branch bugreport bundle cat-file check-attr check-ignore check-mailmap check-ref-format checkout ' +
    'checkout-index cherry cherry-pick citool clean column commit commit-graph commit-tree config count-objects credential-cache ' +
    'credential-store describe diagnose diff diff-files diff-index diff-pairs diff-tree difftool fast-export fast-import filter-branch ' +
    'fmt-merge-msg for-each-ref for-each-repo format-patch fsck fsmonitor--daemon gc get-tar-commit-id gitk grep gui hash-object help ' +
    'history hook index-pack init init-db instaweb interpret-trailers last-modified log ls-files ls-tree mailinfo mailsplit maintenance ' +
    'merge merge-base merge-file merge-index merge-tree mergetool mktag mktree multi-pack-index mv name-rev notes pack-objects ' +
    'pack-redundant pack-refs patch-id prune prune-packed quiltimport range-diff read-tree rebase receive-pack reflog refs remote ' +
    'repack replace replay repo rerere reset restore rev-list rev-parse revert rm shell shortlog show show-branch show-index show-ref ' +
    'sparse-checkout stage stash status stripspace submodule switch symbolic-ref tag unpack-file unpack-objects update-index update-ref ' +
    'update-server-info upload-archive upload-pack var verify-commit verify-pack verify-tag version web--browse whatchanged worktree write-tree'
  ).split(' '),
);

/** Subcommands that read from a remote, and the operand that names it. */
export const readingSubcommands: ReadonlySet<string> = new Set(['clone', 'fetch', 'pull', 'ls-remote', 'fetch-pack', 'http-fetch', 'request-pull']);

/** What people commonly call their aliases and add-ons that only show things or change the work tree. */
export const customarySubcommands: ReadonlySet<string> = new Set(
  (
    'st s ss co cob sw ci cm cam ca cp br b bd df d dc di ds dt lg l ll lol lola lg1 lg2 last ls hist tree graph unstage uncommit undo amend ' +
    'aliases alias wip save pop staged cached root who whoami contributors recent changed conflicts cleanup ap aa absorb delta ' +
    'open browse cliff crypt filter-repo ignore summary standup'
  ).split(' '),
);

/** Options of clone, fetch, pull and ls-remote that take a value. */
export const transferOptions = {
  shortValues: 'obucjsX',
  longValues: new Set(
    (
      'origin branch upload-pack config jobs depth reference reference-if-able template filter separate-git-dir server-option ' +
      'shallow-since shallow-exclude bundle-uri revision refmap negotiation-tip deepen strategy strategy-option sort exec ref-format'
    ).split(' '),
  ),
  longFlags: new Set(
    (
      'all append atomic prune prune-tags tags no-tags force keep update-head-ok progress no-progress quiet verbose dry-run multiple ' +
      'recurse-submodules no-recurse-submodules recursive mirror bare local no-local no-hardlinks shared dissociate no-checkout sparse single-branch ' +
      'no-single-branch also-filter-submodules remote-submodules shallow-submodules unshallow update-shallow set-upstream porcelain ' +
      'write-fetch-head no-write-fetch-head rebase no-rebase ff ff-only no-ff commit no-commit edit no-edit squash no-squash stat no-stat ' +
      'signoff autostash no-autostash verify no-verify allow-unrelated-histories gpg-sign heads branches refs symref get-url exit-code ipv4 ipv6 ' +
      'stdin refetch auto-maintenance no-auto-maintenance show-forced-updates no-show-forced-updates'
    ).split(' '),
  ),
  abbreviates: true,
};
