import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { tags } from '@lezer/highlight';

/** The colours are variables of the style sheet, one set for light and one for dark. */
export const highlighting = syntaxHighlighting(
  HighlightStyle.define([
    { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: 'var(--code-keyword)' },
    { tag: [tags.string, tags.regexp], color: 'var(--code-string)' },
    { tag: [tags.number, tags.bool, tags.null], color: 'var(--code-number)' },
    { tag: tags.comment, color: 'var(--code-comment)' },
    { tag: [tags.typeName, tags.className], color: 'var(--code-type)' },
    { tag: tags.function(tags.variableName), color: 'var(--code-function)' },
  ]),
);
