import { z } from 'zod';
import type { PolicyEvent } from '../../event.ts';
import { defineHandler } from '../../handler.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { readToolResult } from '../../tool-result.ts';
import { toolKeys } from '../../tool-name.ts';
import { abstain, allow, append, ask, deny, type Opinion, type StateUpdate } from '../../verdict.ts';
import { hasReadConfidential } from './confidential-latch.ts';
import { createdIds } from './created-ids.ts';
import { googleCalls, strictest, type GoogleCall } from './google-call.ts';
import { googleParams, switchParam } from './google-params.ts';
import { readGoogleTool, type Service } from './google-tool.ts';
import { storedTexts } from './stored-texts.ts';

export const gmailPolicy = defineHandler({
  name: 'google.gmail_policy',
  title: 'Limit Gmail',
  description:
    'Says whether the agent may read mail, send it, write drafts and change labels. Of drafts it may change those only that it created in ' +
    'the session. Tools that are not known are denied. Asks before mail is written after a confidential file was read from Google Drive.',
  phases: ['TOOL_CALL', 'TOOL_RESULT'],
  needs: ['state'],
  params: z.object({
    allow_read: switchParam(true, 'Allow reading', 'Whether the agent may read and search mail.'),
    allow_send: switchParam(false, 'Allow sending', 'Whether the agent may send mail.'),
    allow_drafts: switchParam(true, 'Allow drafts', 'Whether the agent may create drafts, and change and delete those that it created.'),
    allow_modify: switchParam(false, 'Allow changes', 'Whether the agent may change labels of mail and threads.'),
    ...googleParams,
  }),
  create(params) {
    const denied = (reason: string): Opinion => deny(params.deny_reason ?? reason);

    return ({ event, facts: { state } }) => {
      if (event.type === 'tool_result') {
        const stateUpdates = draftUpdates(event, { state, prefixes: params.tool_prefixes });
        return stateUpdates.length > 0 ? allow({ stateUpdates }) : abstain();
      }
      return strictest(googleCalls(event, gmailService, params.tool_prefixes).map(judge));

      function judge({ tool, arguments: args }: GoogleCall): Opinion {
        const toolClass = tool.kind === 'known' ? gmailTools.get(tool.name) : undefined;
        switch (toolClass) {
          case undefined:
            return denied('This tool of Gmail is not known, so it is denied.');
          case 'read':
            return params.allow_read ? abstain() : denied('Mail may not be read.');
          case 'send':
            return params.allow_send ? writing(state) : denied('Mail may not be sent.');
          case 'draft':
            return params.allow_drafts ? writing(state) : denied('Drafts may not be written.');
          case 'changeDraft':
          case 'deleteDraft':
            if (!params.allow_drafts || !areOwn(draftIds(args), state)) return denied('Only drafts that the agent created may be changed.');
            return toolClass === 'changeDraft' ? writing(state) : abstain();
          case 'modify':
            return params.allow_modify ? abstain() : denied('Mail may not be changed.');
          default:
            return toolClass satisfies never;
        }
      }
    };
  },
});

type GmailToolClass = 'read' | 'send' | 'draft' | 'changeDraft' | 'deleteDraft' | 'modify';

const gmailTools: ReadonlyMap<string, GmailToolClass> = new Map([
  ['gmail_search', 'read'],
  ['gmail_message_list', 'read'],
  ['gmail_message_get', 'read'],
  ['gmail_thread_list', 'read'],
  ['gmail_thread_get', 'read'],
  ['gmail_profile_get', 'read'],
  ['gmail_message_send', 'send'],
  ['gmail_draft_create', 'draft'],
  ['gmail_draft_update', 'changeDraft'],
  ['gmail_draft_delete', 'deleteDraft'],
  ['gmail_message_modify', 'modify'],
  ['gmail_thread_modify', 'modify'],
]);

const gmailService: Service = {
  prefixes: ['gmail_'],
  // No other suite has a tool that begins so.
  nouns: [''],
  tools: gmailTools,
  toolKeys: toolKeys([...gmailTools.keys()]),
};

function writing(state: JsonObject): Opinion {
  return hasReadConfidential(state) ? ask('A confidential file was read from Google Drive, and this would write mail.') : abstain();
}

/** The reference's key. */
const createdDraftsKey = 'gmail_created_draft_ids';

function areOwn(ids: readonly string[], state: JsonObject): boolean {
  const own = storedTexts(state, createdDraftsKey);
  return ids.length > 0 && ids.every((id) => own.has(id));
}

/** The drafts that a call names, under every argument that could. */
function draftIds(args: JsonObject): readonly string[] {
  const { draft } = args;
  const texts = (value: Json | undefined): readonly string[] => (isJsonList(value) ? value.flatMap(texts) : typeof value === 'string' ? [value] : []);
  const inDraft = isJsonObject(draft) ? [draft['id'], draft['draft_id'], draft['draftId']] : [draft];
  const named = [args['draft_id'], args['id']].filter((value) => typeof value === 'string');
  return named.length === 0 ? [] : [args['draft_id'], args['id'], args['draftId'], args['draft_ids'], args['draftIds'], args['ids'], ...inDraft].flatMap(texts);
}

const draftFields: ReadonlySet<string> = new Set(['id', 'draftId', 'draft_id']);

function draftUpdates(event: Extract<PolicyEvent, { type: 'tool_result' }>, { state, prefixes }: { state: JsonObject; prefixes: readonly string[] | null }): readonly StateUpdate[] {
  const { tool, calledAs, result } = readToolResult(event);
  const names = [tool, calledAs].filter((name) => name !== null);
  const isOfCreation = (name: string): boolean => {
    const found = readGoogleTool(name, gmailService, prefixes);
    return found?.kind === 'known' && gmailTools.get(found.name) === 'draft';
  };
  if (tool === null || !names.every(isOfCreation)) return [];
  const known = storedTexts(state, createdDraftsKey);
  return createdIds(result, draftFields).filter((id) => !known.has(id)).map((id) => append(createdDraftsKey, id));
}
