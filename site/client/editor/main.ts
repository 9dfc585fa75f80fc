import ts from 'typescript';
import { compileBlock } from '../../../test/docs/compile-block.js';
import { openEditor } from './editor.js';

export { compileBlock, openEditor, ts };
