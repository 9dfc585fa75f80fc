const MEMO = /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,256}$/u;
const VISIBLE = /[^\s\p{DI}\u2800]/u;

/** Whether a text can be a memo: visible, and without control or format characters. */
export function isMemo(text: string): boolean {
  return MEMO.test(text) && VISIBLE.test(text);
}
