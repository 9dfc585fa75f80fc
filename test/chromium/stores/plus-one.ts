/** A change that shows whether another one was lost. */
export const plusOne = (text: string | undefined): string => String(Number(text ?? 0) + 1);
