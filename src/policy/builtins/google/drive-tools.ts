import { toolKeys } from '../../tool-name.ts';
import type { Service } from './google-tool.ts';

/** What a tool of Drive, Docs, Sheets or Slides does. `get` reads one file that the call names; `search` none in particular; `copy` reads and writes. */
export type DriveToolClass = 'get' | 'search' | 'create' | 'comment' | 'write' | 'copy';

export const driveTools: ReadonlyMap<string, DriveToolClass> = new Map([
  ...classed('get', [
    ...['docs_document_get', 'docs_document_inspect_structure', 'docs_document_export', 'docs_document_export_as_markdown', 'drive_file_get'],
    ...['drive_file_export', 'drive_comment_list', 'drive_comment_get', 'sheets_spreadsheet_get', 'sheets_values_get', 'sheets_values_batch_get'],
    ...['sheets_grid_data_get', 'slides_presentation_get', 'slides_page_get'],
  ]),
  ...classed('search', ['docs_document_list', 'docs_document_search', 'drive_search', 'drive_file_list', 'sheets_search', 'slides_search']),
  ...classed('create', [
    ...['docs_document_create', 'docs_document_create_from_markdown', 'drive_file_create', 'sheets_spreadsheet_create', 'slides_presentation_create'],
  ]),
  ...classed('comment', ['drive_comment_create', 'drive_comment_reply_create']),
  ...classed('write', [
    ...['docs_document_batch_update', 'docs_document_edit_section', 'docs_document_apply_template_styles', 'drive_file_update', 'drive_file_delete'],
    ...['sheets_values_update', 'sheets_values_append', 'sheets_spreadsheet_batch_update', 'slides_presentation_batch_update'],
  ]),
  ...classed('copy', ['drive_file_copy']),
]);

export const driveService: Service = {
  prefixes: ['docs_', 'drive_', 'sheets_', 'slides_'],
  nouns: ['document', 'file', 'comment', 'permission', 'revision', 'reply', 'folder', 'share', 'trash', 'spreadsheet', 'values', 'grid', 'presentation', 'page'],
  tools: driveTools,
  toolKeys: toolKeys([...driveTools.keys()]),
};

function classed(toolClass: DriveToolClass, names: readonly string[]): readonly (readonly [string, DriveToolClass])[] {
  return names.map((name) => [name, toolClass]);
}
