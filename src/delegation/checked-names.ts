/**
 * The values that an option may have: any text that is only known when the program runs, but of the
 * texts in the source only known ones, so that the compiler finds a misspelled name.
 */
export type CheckedName<Given, Known extends string> = string extends Given ? string : Known;
