import { describe, expect, it } from 'vitest';
import { readFileReference } from '../../../../src/policy/builtins/google/file-reference.ts';

describe('a text that names one file beyond doubt', () => {
  it.for([
    ...['F1', ' F1 ', 'https://docs.google.com/document/d/F1/edit', 'https://docs.google.com/document/d/F1', 'http://docs.google.com/document/d/F1/edit#heading=h.x', 'docs.google.com/document/d/F1/edit'],
    ...['https://docs.google.com/spreadsheets/d/F1/edit#gid=0', 'https://docs.google.com/presentation/d/F1/edit', 'https://drive.google.com/file/d/F1/view?usp=sharing', 'https://drive.google.com/open?id=F1'],
    ...['https://drive.google.com/uc?export=download&id=F1', 'https://docs.google.com/document/u/0/d/F1/edit', 'https://docs.google.com/a/example.com/document/d/F1/edit', 'HTTPS://DOCS.GOOGLE.COM/document/d/F1', 'https://drive.google.com/drive/u/1/folders/F1'],
  ])('names it: %s', (text) => {
    expect(readFileReference(text)).toMatchObject({ certain: 'F1', possible: expect.arrayContaining(['F1']) });
  });
});

describe('a text that names no file beyond doubt', () => {
  it.for([
    ...['', '   ', 'https://example.com/open?id=F1', 'https://example.com/document/d/F1', 'https://docs.google.com.evil.example/document/d/F1', 'https://evil-docs.google.com.example/document/d/F1'],
    ...['https://docs.google.com@evil.example/document/d/F1', 'https://xdocs.google.com/document/d/F1', '/document/d/F1', 'https://docs.google.com/document/d/F1/../X2/edit?id=X3', 'https://drive.google.com/open?id=F1&id=F2'],
    ...['https://docs.google.com/document/d/X/edit?x=/spreadsheets/d/F1', 'https://docs.google.com/document%2Fd%2FF1', 'F%31', 'F1 F2', "'F1'", 'F1/', 'F1,F2', 'https://docs.google.com\\document\\d\\F1', 'https://docs.google.com/', `F${'1'.repeat(5000)}`],
  ])('grants nothing: %s', (text) => {
    expect(readFileReference(text).certain).toBeNull();
  });

  it.for([
    ...['https://example.com/open?id=F1', 'https://example.com/document/d/F1', 'https://docs.google.com/document%2Fd%2FF1', 'https://docs.google.com/document%252Fd%252FF1', 'F%31', '%46%31', "'F1'", '"F1"', '<F1>', 'F1/', 'id:F1', '/document/d/F1'],
    ...['https://docs.google.com/document/d/X/edit?x=/spreadsheets/d/F1', 'see https://docs.google.com/document/d/F1/edit for more', 'https://www.googleapis.com/drive/v3/files/F1?alt=media', 'https://docs.google.com/document/D/F1', 'https://docs.google.com/viewer?srcid=F1', 'F\u200b1', 'Ｆ1'],
  ])('may yet touch it: %s', (text) => {
    expect(readFileReference(text).possible).toContain('F1');
  });
});

it('tells ids apart by every letter', () => {
  expect(readFileReference('f1').certain).toBe('f1');
  expect(readFileReference('F11').possible).not.toContain('F1');
});
