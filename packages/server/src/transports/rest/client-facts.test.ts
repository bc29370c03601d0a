import { describe, expect, it } from 'vitest';
import { clientFactsIn } from './client-facts.ts';

describe('client facts in headers', () => {
  it('are read percent-decoded', () => {
    const headers = {
      'errand-session': 'a%20b',
      'errand-client': 'Codex%200.166.0',
      'errand-folder': '%2Fhome%2F%C3%A4',
      'errand-branch': 'main',
      'errand-source': 'script',
    };

    expect(clientFactsIn(headers)).toEqual({
      session_id: 'a b',
      client: 'Codex 0.166.0',
      folder: '/home/ä',
      branch: 'main',
      source: 'script',
    });
  });

  it('are empty when the client sends no facts, or none that can be kept', () => {
    expect(clientFactsIn({ host: 'localhost' })).toBeUndefined();
    expect(clientFactsIn({ 'errand-session': '%', 'errand-branch': '%00', 'errand-source': 'person' })).toBeUndefined();
  });

  it('are kept if they can be, whatever else is sent', () => {
    expect(clientFactsIn({ 'errand-session': 's', 'errand-client': 'x'.repeat(300), 'errand-folder': '%E4' })).toEqual({
      session_id: 's',
    });
  });
});
