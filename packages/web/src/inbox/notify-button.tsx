import { setNotify, useNotify } from '../shell/notify.ts';
import { Chip } from '../ui/chip.tsx';
import { useToasts } from '../ui/toast.tsx';

/**
 * Switches notifications of the system on and off. They are off until a person wants them; it says when the browser
 * forbids them.
 */
export function NotifyButton() {
  const isOn = useNotify();
  const toasts = useToasts();
  const flip = async () => {
    const now = await setNotify(!isOn);
    if (!isOn && !now) {
      toasts.show({
        kind: 'refused',
        text: 'The browser does not allow notifications of this page. Allow them there.',
      });
    }
  };
  return (
    <Chip className="plain" icon="bell" aria-pressed={isOn} onClick={() => void flip()}>
      {isOn ? 'Notifies' : 'Notify me'}
    </Chip>
  );
}
