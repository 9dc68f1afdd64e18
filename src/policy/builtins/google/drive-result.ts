import type { PolicyEvent } from '../../event.ts';
import type { JsonObject } from '../../json.ts';
import { readToolResult, type ToolResult } from '../../tool-result.ts';
import { append, set, type StateUpdate } from '../../verdict.ts';
import { confidentialLatchKey, hasReadConfidential } from './confidential-latch.ts';
import { createdIds } from './created-ids.ts';
import { driveService, driveTools, type DriveToolClass } from './drive-tools.ts';
import { driveTargets } from './drive-targets.ts';
import { readGoogleTool } from './google-tool.ts';
import { storedTexts } from './stored-texts.ts';

/** What the result of a Drive tool adds to the state: the ids of what it created, and that a confidential file was read. */
export function driveResultUpdates(event: Extract<PolicyEvent, { type: 'tool_result' }>, given: DriveFacts): readonly StateUpdate[] {
  const result = readToolResult(event);
  const classes = [result.tool, result.calledAs].flatMap((name) => (name === null ? [] : [classOf(name, given.prefixes)]));
  // What is granted needs both names to agree; what is withheld, either of them.
  if (result.tool !== null && classes.every((found) => found === 'create')) return createdUpdates(result, given.state);
  const reads = classes.some((found) => found === 'get' || found === 'copy' || found === 'search');
  if (result.tool === null || !reads || given.confidential.size === 0 || hasReadConfidential(given.state)) return [];
  return hasRead(result, { classes, confidential: given.confidential }) ? [set(confidentialLatchKey, true)] : [];
}

/** The reference's key. */
export const createdFilesKey = 'gdrive_created_file_ids';

export interface DriveFacts {
  readonly state: JsonObject;
  readonly confidential: ReadonlySet<string>;
  readonly prefixes: readonly string[] | null;
}

function classOf(name: string, prefixes: readonly string[] | null): DriveToolClass | null {
  const tool = readGoogleTool(name, driveService, prefixes);
  return tool?.kind === 'known' ? (driveTools.get(tool.name) ?? null) : null;
}

function createdUpdates({ result }: ToolResult, state: JsonObject): readonly StateUpdate[] {
  const known = storedTexts(state, createdFilesKey);
  return createdIds(result, createdFields).filter((id) => !known.has(id)).map((id) => append(createdFilesKey, id));
}

const createdFields: ReadonlySet<string> = new Set([
  ...['id', 'documentId', 'spreadsheetId', 'presentationId', 'fileId'],
  ...['document_id', 'spreadsheet_id', 'presentation_id', 'file_id'],
]);

/** A read of one file whose call is not told may have been of a confidential one. */
function hasRead({ arguments: args, result }: ToolResult, { classes, confidential }: { classes: readonly (DriveToolClass | null)[]; confidential: ReadonlySet<string> }): boolean {
  const isOfOneFile = classes.some((found) => found === 'get' || found === 'copy');
  if (args === null) return isOfOneFile;
  return driveTargets(args).mayTouch(confidential) || (isOfOneFile && createdIds(result, createdFields).some((id) => confidential.has(id)));
}
