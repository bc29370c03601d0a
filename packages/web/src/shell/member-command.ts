const KEY = /^[A-Za-z0-9]{2,10}$/;
const WORD = /^[\p{L}\p{N}._-]+$/u;
const WORDS = /^[\p{L}\p{N} ._-]+$/u;

/**
 * The command with which an admin lets a person into a project. What an address or a name holds may be anything, and the
 * command is pasted into a shell: only plain names are put into it.
 */
export function memberCommand(name: string | undefined, key: string | undefined): string {
  const person = name === undefined || !WORDS.test(name) ? 'NAME' : WORD.test(name) ? name : `"${name}"`;
  return `errand member add ${person} --project ${key !== undefined && KEY.test(key) ? key : 'KEY'}`;
}
