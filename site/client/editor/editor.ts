import { autocompletion, type CompletionContext } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import { type Diagnostic, forceLinting, linter } from '@codemirror/lint';
import { EditorView, hoverTooltip, keymap, lineNumbers } from '@codemirror/view';
import ts from 'typescript';
import { element } from '../element.js';
import { highlighting } from './highlighting.js';
import { Types } from './types.js';

/** An editor whose completions, hints and problems come from the real declarations. */
export function openEditor(code: string, run: () => void) {
  const types = new Types(code.trimEnd());
  let loading: Promise<void> | undefined;

  /**
   * Loads the declarations only when the reader starts to look at the program, because they are
   * large.
   */
  function loadTypes(): Promise<void> {
    loading ??= types.load(view.state.doc.toString()).then(() => forceLinting(view));
    return loading;
  }

  async function complete(context: CompletionContext) {
    const word = context.matchBefore(/[\w$]*/);
    const from = word?.from ?? context.pos;
    const isMember = context.state.sliceDoc(from - 1, from) === '.';
    if (!context.explicit && !isMember && from === context.pos) return null;
    await loadTypes();
    const found = types.service?.getCompletionsAtPosition(types.file, context.pos, {});
    const options = (found?.entries ?? []).map(({ name, kind }) => ({ label: name, detail: kind }));
    return { from, options, validFor: /^[\w$]*$/ };
  }

  function problems(): Diagnostic[] {
    const { service, file } = types;
    if (service === undefined) return [];
    const found = [
      ...service.getSyntacticDiagnostics(file),
      ...service.getSemanticDiagnostics(file),
    ];
    return found.map(({ start = 0, length = 0, messageText }) => ({
      from: start,
      to: Math.min(start + length, view.state.doc.length),
      severity: 'error',
      message: ts.flattenDiagnosticMessageText(messageText, '\n'),
    }));
  }

  const hint = hoverTooltip(async (_, position) => {
    await loadTypes();
    const info = types.service?.getQuickInfoAtPosition(types.file, position);
    if (info === undefined) return null;
    const text = [info.displayParts, info.documentation].map(
      (parts) => parts?.map((part) => part.text).join('') ?? '',
    );
    const { start, length } = info.textSpan;
    const dom = element('pre', { class: 'hint' }, text.filter(Boolean).join('\n\n'));
    return { pos: start, end: start + length, create: () => ({ dom }) };
  });

  const runAndStop = () => {
    run();
    return true;
  };
  const view = new EditorView({
    doc: code.trimEnd(),
    extensions: [
      lineNumbers(),
      history(),
      javascript({ typescript: true }),
      highlighting,
      autocompletion({ override: [complete] }),
      linter(problems),
      hint,
      keymap.of([{ key: 'Mod-Enter', run: runAndStop }, ...defaultKeymap, ...historyKeymap]),
      EditorView.domEventHandlers({ focus: () => void loadTypes() }),
      EditorView.contentAttributes.of({ 'aria-label': 'Program' }),
      EditorView.updateListener.of(({ docChanged, state }) => {
        if (docChanged) types.update(state.doc.toString());
      }),
    ],
  });
  return {
    dom: view.dom,
    code: () => view.state.doc.toString(),
  };
}
