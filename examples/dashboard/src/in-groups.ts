/**
 * Hands on what arrives: the first at once, and what follows within the pause together at its end. Each invoice that is issued makes the
 * lists out of date: in a busy shop they are requested once for a group of messages, and always after the last one.
 */
export function inGroups<Message>(handOn: (message: Message) => void, pauseMs: number) {
  let held: Message[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const release = () => {
    const group = held;
    held = [];
    timer = group.length === 0 ? undefined : setTimeout(release, pauseMs);
    for (const message of group) handOn(message);
  };
  return {
    add(message: Message) {
      held.push(message);
      if (timer === undefined) release();
    },
    /** Drops what is held. */
    stop() {
      clearTimeout(timer);
      held = [];
    },
  };
}
