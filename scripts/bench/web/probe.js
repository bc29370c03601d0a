// Runs in every measured page before its own scripts. Plain JavaScript: a browser reads it as it is.
globalThis.probe = (() => {
  const longTasks = [];
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) longTasks.push({ at: startTime, ms: duration });
  }).observe({ type: 'longtask', buffered: true });

  // The task after a frame's callbacks: by then the browser has drawn the frame.
  const drawn = (isSo, done) => {
    requestAnimationFrame(() => {
      if (!isSo()) return drawn(isSo, done);
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => done(performance.now());
      port2.postMessage(null);
    });
  };

  return {
    longTasks,
    /** Resolves when the condition holds in a drawn frame: with the time of day in milliseconds. */
    until: (isSo) => new Promise((resolve) => drawn(isSo, (at) => resolve(performance.timeOrigin + at))),
    /** Begins to wait for a key. `reaction` is then how long it took until what `read` answers was another, and drawn. */
    expectKey(read) {
      const before = read();
      this.reaction = new Promise((resolve) => {
        const take = ({ timeStamp }) =>
          drawn(
            () => read() !== before,
            (at) => resolve(at - timeStamp),
          );
        addEventListener('keydown', take, { capture: true, once: true });
      });
    },
    /** Works for some milliseconds in every tenth of a second: how long that takes shows how busy the machine is. */
    spin(ms) {
      const stretches = [];
      const timer = setInterval(() => {
        const begun = performance.now();
        while (performance.now() - begun < ms);
        stretches.push(performance.now() - begun);
      }, 100);
      return () => {
        clearInterval(timer);
        return stretches;
      };
    },
  };
})();
