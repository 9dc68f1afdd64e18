import { z } from 'zod';
import { defineHandler } from '../../handler.ts';
import { object } from '../../objection.ts';
import { objectionParam } from '../../objection-param.ts';
import { abstain, allow, deny, type Opinion } from '../../verdict.ts';
import { hasReadConfidential } from './confidential-latch.ts';
import { createdFilesKey, driveResultUpdates } from './drive-result.ts';
import { driveService, driveTools, type DriveToolClass } from './drive-tools.ts';
import { driveTargets } from './drive-targets.ts';
import { googleCalls, strictest, type GoogleCall } from './google-call.ts';
import { fileIds, filesParam, googleParams, switchParam } from './google-params.ts';
import { storedTexts } from './stored-texts.ts';

export const gdrivePolicy = defineHandler({
  name: 'google.gdrive_policy',
  title: 'Limit Google Drive, Docs, Sheets and Slides',
  description:
    'Says which files the agent may read, write and comment, and whether it may create some; files that it created in the session it may ' +
    'write. Tools that are not known are denied. Once a confidential file was read, only confidential files may be written.',
  phases: ['TOOL_CALL', 'TOOL_RESULT'],
  needs: ['state'],
  params: z.object({
    read_all: switchParam(true, 'Read everything', 'Whether every file may be read and searched for. When off, only those in read_files.'),
    read_files: filesParam('Readable files', 'Files that may be read when read_all is off.'),
    write_files: filesParam('Writable files', 'Files that may be changed and deleted, beside those that the agent created.'),
    comment_files: filesParam('Files to comment on', 'Files that may be commented on, beside those that the agent created.'),
    allow_create: switchParam(false, 'Allow creating files', 'Whether the agent may create files.'),
    confidential_files: filesParam('Confidential files', 'Files of which nothing may be written into others once one of them was read.'),
    write_down_action: objectionParam('DENY', { title: 'Objection to writing down', description: 'What to do when something else than a confidential file is to be written after one was read.' }),
    ...googleParams,
  }),
  create(params) {
    const files = {
      read: fileIds('read_files', params.read_files),
      write: fileIds('write_files', params.write_files),
      comment: fileIds('comment_files', params.comment_files),
      confidential: fileIds('confidential_files', params.confidential_files),
    };
    const denied = (reason: string): Opinion => deny(params.deny_reason ?? reason);

    return ({ event, facts: { state } }) => {
      if (event.type === 'tool_result') {
        const stateUpdates = driveResultUpdates(event, { state, confidential: files.confidential, prefixes: params.tool_prefixes });
        return stateUpdates.length > 0 ? allow({ stateUpdates }) : abstain();
      }
      const created = storedTexts(state, createdFilesKey);
      const latched = files.confidential.size > 0 && hasReadConfidential(state);
      return strictest(googleCalls(event, driveService, params.tool_prefixes).map(judge));

      function judge({ tool, arguments: args }: GoogleCall): Opinion {
        const toolClass = tool.kind === 'known' ? driveTools.get(tool.name) : undefined;
        if (toolClass === undefined) return denied('This tool of Google Drive is not known, so it is denied.');
        const targets = driveTargets(args);
        if (latched && writes.has(toolClass) && !targets.areWithin(files.confidential)) {
          return object(params.write_down_action, params.deny_reason ?? 'A confidential file was read, and this would write elsewhere.');
        }
        switch (toolClass) {
          case 'get':
          case 'search':
            return params.read_all || targets.areWithin(files.read) ? abstain() : denied('This file may not be read.');
          case 'create':
            return params.allow_create ? abstain() : denied('Files may not be created.');
          case 'comment':
            return targets.areWithin(files.comment, created) ? abstain() : denied('This file may not be commented on.');
          case 'write':
          case 'copy':
            return targets.areWithin(files.write, created) ? abstain() : denied('This file may not be written.');
          default:
            return toolClass satisfies never;
        }
      }
    };
  },
});

const writes: ReadonlySet<DriveToolClass> = new Set(['create', 'comment', 'write', 'copy']);
