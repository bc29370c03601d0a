import { useMutation, useQueryClient } from '@tanstack/react-query';
import { reasonOf } from '../api/client.ts';
import { useToasts } from '../ui/toast.tsx';

interface ChangeProps<Input, Answer> {
  readonly send: (input: Input) => Promise<Answer>;
  /** What to say when it is done. */
  readonly said?: (input: Input, answer: Answer) => string;
  readonly onDone?: (answer: Answer) => void;
  /** The form shows a refusal itself. */
  readonly inPlace?: boolean;
}

/** A change of settings: says that it is done or why not, and reads again what it concerns. */
export function useChange<Input, Answer>({ send, said, onDone, inPlace = false }: ChangeProps<Input, Answer>) {
  const client = useQueryClient();
  const toasts = useToasts();
  return useMutation({
    mutationFn: send,
    onSuccess: (answer, input) => {
      if (said !== undefined) toasts.show({ text: said(input, answer) });
      onDone?.(answer);
    },
    onError: (error) => (inPlace ? undefined : toasts.show({ kind: 'refused', text: reasonOf(error) })),
    onSettled: () =>
      Promise.all(['settings', 'users', 'me', 'board'].map((noun) => client.invalidateQueries({ queryKey: [noun] }))),
  });
}

/** The refusal of a form, for the field that it is about. */
export const errorOf = ({ error }: { readonly error: Error | null }): string | undefined =>
  error === null ? undefined : reasonOf(error);
