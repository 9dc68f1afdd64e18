import { z } from 'zod';
import { defineHandler } from '../../handler.ts';
import { toolKeys } from '../../tool-name.ts';
import { abstain, ask, deny, type Opinion } from '../../verdict.ts';
import { hasReadConfidential } from './confidential-latch.ts';
import { googleCalls, strictest, type GoogleCall } from './google-call.ts';
import { googleParams, switchParam } from './google-params.ts';
import type { Service } from './google-tool.ts';

export const gcalendarPolicy = defineHandler({
  name: 'google.gcalendar_policy',
  title: 'Limit Google Calendar',
  description:
    'Says whether the agent may read calendars, create events and change them. Tools that are not known are denied. Asks before events ' +
    'are written after a confidential file was read from Google Drive.',
  phases: ['TOOL_CALL'],
  needs: ['state'],
  params: z.object({
    allow_read: switchParam(true, 'Allow reading', 'Whether the agent may read calendars and search them.'),
    allow_create_events: switchParam(false, 'Allow creating', 'Whether the agent may create events and calendars.'),
    allow_modify_events: switchParam(false, 'Allow changes', 'Whether the agent may change and delete events.'),
    ...googleParams,
  }),
  create(params) {
    const denied = (reason: string): Opinion => deny(params.deny_reason ?? reason);

    return ({ event, facts: { state } }) => {
      const writing = hasReadConfidential(state) ? ask('A confidential file was read from Google Drive, and this would write an event.') : abstain();
      return strictest(googleCalls(event, calendarService, params.tool_prefixes).map(judge));

      function judge({ tool }: GoogleCall): Opinion {
        const toolClass = tool.kind === 'known' ? calendarTools.get(tool.name) : undefined;
        switch (toolClass) {
          case undefined:
            return denied('This tool of Google Calendar is not known, so it is denied.');
          case 'read':
            return params.allow_read ? abstain() : denied('Calendars may not be read.');
          case 'create':
            return params.allow_create_events ? writing : denied('Events may not be created.');
          case 'update':
            return params.allow_modify_events ? writing : denied('Events may not be changed.');
          case 'delete':
            return params.allow_modify_events ? abstain() : denied('Events may not be deleted.');
          default:
            return toolClass satisfies never;
        }
      }
    };
  },
});

type CalendarToolClass = 'read' | 'create' | 'update' | 'delete';

const calendarTools: ReadonlyMap<string, CalendarToolClass> = new Map([
  ['calendar_search', 'read'],
  ['calendar_event_list', 'read'],
  ['calendar_event_get', 'read'],
  ['calendar_calendar_list', 'read'],
  ['calendar_freebusy_query', 'read'],
  ['calendar_event_create', 'create'],
  ['calendar_calendar_create', 'create'],
  ['calendar_event_update', 'update'],
  ['calendar_event_delete', 'delete'],
]);

const calendarService: Service = {
  prefixes: ['calendar_'],
  nouns: ['event', 'calendar', 'acl', 'freebusy', 'settings'],
  tools: calendarTools,
  toolKeys: toolKeys([...calendarTools.keys()]),
};
