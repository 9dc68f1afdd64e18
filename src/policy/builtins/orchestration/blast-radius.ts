import { z } from 'zod';
import { defineHandler } from '../../handler.ts';
import { readShellCall } from '../../shell/shell-call.ts';
import { allow, ask, deny } from '../../verdict.ts';
import { findBlast } from './blast/find-blast.ts';
import { tierText } from './blast/tier.ts';

export const blastRadius = defineHandler({
  name: 'orchestration.blast_radius',
  title: 'Limit the blast radius of shell commands',
  description:
    'Denies shell commands that destroy what cannot be brought back: removing system directories or the home directory, forced or deleting ' +
    'pushes, resetting to a remote branch, overwriting devices. Asks for those that are risky: recursive removal, pushes, merges, releases, ' +
    'deployments and deletions of infrastructure. Commands are read as a shell reads them, also inside other commands. Tool names are ' +
    'compared without letter case, invisible characters, underscores and dashes, also behind the name of an MCP server.',
  phases: ['TOOL_CALL'],
  params: z.object({
    gate_pushes: z.boolean().default(true).meta({
      title: 'Gate risky commands',
      description: 'Whether risky commands get the risky action. Off: they are allowed; what cannot be brought back stays denied.',
    }),
    risky_action: z
      .string()
      .transform((action) => action.trim().toUpperCase())
      .pipe(z.enum(['ASK', 'DENY']))
      .default('ASK')
      .meta({ title: 'Risky action', description: 'The verdict on risky commands. Letter case does not matter.' }),
    on_uncertain: z.enum(['ask', 'deny']).default('ask').meta({
      title: 'When it is not certain',
      description: 'The verdict on a command that cannot be read for certain, and that may do what is gated.',
    }),
    deny_reason: z.string().optional().meta({ title: 'Reason for denials', description: 'Text that a denial gives instead of its own reason.' }),
  }),
  create({ gate_pushes: gateRisky, risky_action: riskyAction, on_uncertain: onUncertain, deny_reason: denyReason }) {
    return ({ event }) => {
      const blasts = readShellCall(event).flatMap((reading) => findBlast(reading, gateRisky));
      const text = (tier: Parameters<typeof tierText>[0]): string | null => {
        const found = blasts.find((blast) => blast.tier === tier);
        return found ? `${tierText(tier)}: ${found.what}` : null;
      };
      const [catastrophic, uncertain, risky] = [text('catastrophic'), text('uncertain'), gateRisky ? text('risky') : null];
      const denial = catastrophic ?? (onUncertain === 'deny' ? uncertain : null) ?? (riskyAction === 'DENY' ? risky : null);
      if (denial !== null) return deny(denyReason ?? denial);
      const question = risky ?? uncertain;
      return question === null ? allow() : ask(question);
    };
  },
});
