import { describe, expect, it } from 'vitest';
import { driveService } from '../../../../src/policy/builtins/google/drive-tools.ts';
import { readGoogleTool } from '../../../../src/policy/builtins/google/google-tool.ts';

function read(name: string, prefixes: readonly string[] | null = null): string | null {
  const tool = readGoogleTool(name, driveService, prefixes);
  return tool?.kind === 'known' ? tool.name : (tool?.kind ?? null);
}

describe('a tool of Drive is known', () => {
  it.for([
    ...['drive_file_get', 'mcp__google__drive_file_get', 'google__drive_file_get', 'mcp__Google__drive_file_get', 'mcp__google_workspace__drive_file_get'],
    ...['mcp__gdrive__drive_file_get', 'mcp__acme__drive_file_get', 'mcp__docs_server__drive_file_get', 'mcp_google_drive_file_get', 'mcp_google_workspace_drive_file_get'],
    ...['functions.drive_file_get', 'google/drive_file_get', 'google:drive_file_get', ' drive_file_get', 'drive_file_\u200bget', 'ｄrive_file_get', 'mcp__a__b__drive_file_get'],
  ])('as %j', (name) => {
    expect(read(name)).toBe('drive_file_get');
  });
});

describe('a tool of Drive is unknown, and so denied,', () => {
  it.for([
    ...['drive_permission_create', 'mcp__google__drive_permission_create', 'mcp__gdrive__drive_anything', 'mcp__acme__drive_permission_create', 'mcp__x__docs_document_delete', 'mcp_google_drive_trash_empty'],
    ...['docs_document_Get', 'mcp__google__Drive_File_Delete', 'DRIVE_FILE_DELETE', 'driveFileDelete', 'drive-file-delete', 'mcp__acme__driveFileDelete', 'drive.file.delete', 'drivefiledelete', 'mcp__google__drive__file_delete', 'slides_export_all', 'drive_'],
    `drive_${'x'.repeat(500)}`,
  ])('as %j', (name) => {
    expect(read(name)).toBe('unknown');
  });
});

describe('a tool is none of Drive’s', () => {
  it.for([
    ...['web_search', 'driver_update', 'mcp__google__people_get', 'mcp__google__gmail_search', 'mcp__context7__docs_search', 'mcp__acme__sheets_of_steel', 'mcp__robot__drive_forward'],
    ...['mcp__onedrive__drive_file_delete', 'mcp__ms365__drive_file_get', 'mcp__docs_server__search', 'documents_drive', 'overdrive_file_get', ''],
  ])('as %j', (name) => {
    expect(read(name)).toBeNull();
  });
});

describe('with prefixes of the params', () => {
  it.for<[string, string | null]>([
    ['corp__drive_file_get', 'drive_file_get'],
    ['CORP__drive_file_get', 'drive_file_get'],
    ['corp__drive_x', 'unknown'],
    ['drive_file_get', 'drive_file_get'],
    ['mcp__google__drive_file_get', null],
    ['mcp__corp__drive_file_get', null],
  ])('%s means %s', ([name, meaning]) => {
    expect(read(name, ['corp__'])).toBe(meaning);
  });
});

it('takes a name of a megabyte in no time', () => {
  const startedAt = performance.now();
  for (const name of ['mcp_'.repeat(250_000), '__'.repeat(500_000), `drive_${'\u0301'.repeat(500_000)}`]) read(name);
  expect(performance.now() - startedAt).toBeLessThan(1500);
});
