import type { ResolveElicitationInput } from '../../sdk/index.ts';
import { CardList } from './card-list.ts';

/** What the keys mean now. */
export type Mode =
  | { readonly kind: 'list' }
  | { readonly kind: 'help' }
  /** The reason is being typed. */
  | { readonly kind: 'decline'; readonly ids: readonly string[]; readonly reason: string }
  /** Yes or no to what one key would do to many, or to what came back from the editor: then with what is different. */
  | { readonly kind: 'confirm'; readonly question: string; readonly answer: Answer; readonly changes: string | null };

/** One answer to one question, with what the approver has added to it; or to several. */
export type Answer =
  | { readonly kind: 'one'; readonly id: string; readonly input: Pick<ResolveElicitationInput, 'action' | 'comment' | 'content' | 'editedArguments'> }
  | { readonly kind: 'many'; readonly ids: readonly string[]; readonly action: 'ACCEPT' | 'DECLINE'; readonly comment: string };

export interface InboxState {
  readonly list: CardList;
  mode: Mode;
  /** How many lines of the details are above what is shown. */
  scroll: number;
  /** What has come of the last key, or what else there is to say; null: nothing. */
  notice: string | null;
  /** Why nothing new is heard; null: all is well. */
  lost: string | null;
  /** What was edited and not sent, by question. */
  readonly drafts: Map<string, string>;
}

export function emptyInbox(): InboxState {
  return { list: new CardList(), mode: { kind: 'list' }, scroll: 0, notice: null, lost: null, drafts: new Map() };
}
