CREATE TABLE `change_schedules` (
	`account_id` text NOT NULL,
	`schedule_id` text NOT NULL,
	`change_id` text NOT NULL,
	PRIMARY KEY(`account_id`, `schedule_id`, `change_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `changes` (
	`account_id` text NOT NULL,
	`id` text NOT NULL,
	`prefix_id` text GENERATED ALWAYS AS (('chg_' || substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1 + ((((instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 11, 1)) - 1) * 32 + (instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 12, 1)) - 1)) >> 4) & 63), 1) || substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1 + ((((instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 12, 1)) - 1) * 32 + (instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 13, 1)) - 1)) >> 3) & 63), 1) || substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1 + ((((instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 13, 1)) - 1) * 32 + (instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 14, 1)) - 1)) >> 2) & 63), 1) || substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1 + ((((instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 14, 1)) - 1) * 32 + (instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 15, 1)) - 1)) >> 1) & 63), 1) || substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1 + ((((instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 15, 1)) - 1) * 32 + (instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 16, 1)) - 1)) >> 0) & 63), 1) || substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1 + ((((instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 17, 1)) - 1) * 32 + (instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 18, 1)) - 1)) >> 4) & 63), 1) || substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1 + ((((instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 18, 1)) - 1) * 32 + (instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 19, 1)) - 1)) >> 3) & 63), 1) || substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1 + ((((instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 19, 1)) - 1) * 32 + (instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 20, 1)) - 1)) >> 2) & 63), 1) || substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1 + ((((instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 20, 1)) - 1) * 32 + (instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 21, 1)) - 1)) >> 1) & 63), 1) || substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1 + ((((instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 21, 1)) - 1) * 32 + (instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 22, 1)) - 1)) >> 0) & 63), 1) || substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1 + ((((instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 23, 1)) - 1) * 32 + (instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 24, 1)) - 1)) >> 4) & 63), 1) || substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1 + ((((instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 24, 1)) - 1) * 32 + (instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 25, 1)) - 1)) >> 3) & 63), 1) || substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1 + ((((instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 25, 1)) - 1) * 32 + (instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 26, 1)) - 1)) >> 2) & 63), 1) || substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1 + ((((instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 26, 1)) - 1) * 32 + (instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 27, 1)) - 1)) >> 1) & 63), 1))) VIRTUAL NOT NULL,
	`created_at` integer NOT NULL,
	`actor_kind` text NOT NULL,
	`account_user_id` text,
	`actor_id` text,
	`verb` text NOT NULL,
	`kind` text NOT NULL,
	`record_id` text NOT NULL,
	`name` text,
	`fields` text,
	`event_ids` text DEFAULT '[]' NOT NULL,
	`depends_on` text DEFAULT '[]' NOT NULL,
	`schedule_ids` text DEFAULT '[]' NOT NULL,
	`undoes_id` text,
	`undone_by_id` text,
	`irreversible` text,
	`record_before` text,
	`before` text,
	`after` text,
	PRIMARY KEY(`account_id`, `id`)
) WITHOUT ROWID;
