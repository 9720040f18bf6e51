-- Totals of lists, kept beside every insert and delete: a list page must not count rows.
CREATE TRIGGER account_users_total_up AFTER INSERT ON account_users BEGIN
  INSERT INTO list_totals (account_id, name, total) VALUES (NEW.account_id, 'account_users', 1)
    ON CONFLICT (account_id, name) DO UPDATE SET total = total + 1;
END;
--> statement-breakpoint
CREATE TRIGGER account_users_total_down AFTER DELETE ON account_users BEGIN
  UPDATE list_totals SET total = total - 1 WHERE account_id = OLD.account_id AND name = 'account_users';
END;
--> statement-breakpoint
CREATE TRIGGER teams_total_up AFTER INSERT ON teams BEGIN
  INSERT INTO list_totals (account_id, name, total) VALUES (NEW.account_id, 'teams', 1)
    ON CONFLICT (account_id, name) DO UPDATE SET total = total + 1;
END;
--> statement-breakpoint
CREATE TRIGGER teams_total_down AFTER DELETE ON teams BEGIN
  UPDATE list_totals SET total = total - 1 WHERE account_id = OLD.account_id AND name = 'teams';
END;
--> statement-breakpoint
CREATE TRIGGER schedules_total_up AFTER INSERT ON schedules BEGIN
  INSERT INTO list_totals (account_id, name, total) VALUES (NEW.account_id, 'schedules', 1)
    ON CONFLICT (account_id, name) DO UPDATE SET total = total + 1;
END;
--> statement-breakpoint
CREATE TRIGGER schedules_total_down AFTER DELETE ON schedules BEGIN
  UPDATE list_totals SET total = total - 1 WHERE account_id = OLD.account_id AND name = 'schedules';
END;
--> statement-breakpoint
CREATE TRIGGER escalation_policies_total_up AFTER INSERT ON escalation_policies BEGIN
  INSERT INTO list_totals (account_id, name, total) VALUES (NEW.account_id, 'escalation_policies', 1)
    ON CONFLICT (account_id, name) DO UPDATE SET total = total + 1;
END;
--> statement-breakpoint
CREATE TRIGGER escalation_policies_total_down AFTER DELETE ON escalation_policies BEGIN
  UPDATE list_totals SET total = total - 1 WHERE account_id = OLD.account_id AND name = 'escalation_policies';
END;
--> statement-breakpoint
CREATE TRIGGER events_total_up AFTER INSERT ON events BEGIN
  INSERT INTO list_totals (account_id, name, total) VALUES (NEW.account_id, 'events', 1)
    ON CONFLICT (account_id, name) DO UPDATE SET total = total + 1;
END;
--> statement-breakpoint
CREATE TRIGGER events_total_down AFTER DELETE ON events BEGIN
  UPDATE list_totals SET total = total - 1 WHERE account_id = OLD.account_id AND name = 'events';
END;
--> statement-breakpoint
CREATE TRIGGER alerts_total_up AFTER INSERT ON alerts BEGIN
  INSERT INTO list_totals (account_id, name, total) VALUES (NEW.account_id, 'alerts', 1)
    ON CONFLICT (account_id, name) DO UPDATE SET total = total + 1;
  INSERT INTO list_totals (account_id, name, total) VALUES (NEW.account_id, 'alerts:' || NEW.status, 1)
    ON CONFLICT (account_id, name) DO UPDATE SET total = total + 1;
END;
--> statement-breakpoint
CREATE TRIGGER alerts_total_down AFTER DELETE ON alerts BEGIN
  UPDATE list_totals SET total = total - 1 WHERE account_id = OLD.account_id AND name = 'alerts';
  UPDATE list_totals SET total = total - 1 WHERE account_id = OLD.account_id AND name = 'alerts:' || OLD.status;
END;
--> statement-breakpoint
CREATE TRIGGER broadcasts_total_up AFTER INSERT ON broadcasts BEGIN
  INSERT INTO list_totals (account_id, name, total) VALUES (NEW.account_id, 'broadcasts', 1)
    ON CONFLICT (account_id, name) DO UPDATE SET total = total + 1;
END;
--> statement-breakpoint
CREATE TRIGGER broadcasts_total_down AFTER DELETE ON broadcasts BEGIN
  UPDATE list_totals SET total = total - 1 WHERE account_id = OLD.account_id AND name = 'broadcasts';
END;
--> statement-breakpoint
CREATE TRIGGER comments_total_up AFTER INSERT ON comments BEGIN
  INSERT INTO list_totals (account_id, name, total) VALUES (NEW.account_id, 'comments', 1)
    ON CONFLICT (account_id, name) DO UPDATE SET total = total + 1;
END;
--> statement-breakpoint
CREATE TRIGGER comments_total_down AFTER DELETE ON comments BEGIN
  UPDATE list_totals SET total = total - 1 WHERE account_id = OLD.account_id AND name = 'comments';
END;
--> statement-breakpoint
CREATE TRIGGER integrations_total_up AFTER INSERT ON integrations BEGIN
  INSERT INTO list_totals (account_id, name, total) VALUES (NEW.account_id, 'integrations', 1)
    ON CONFLICT (account_id, name) DO UPDATE SET total = total + 1;
END;
--> statement-breakpoint
CREATE TRIGGER integrations_total_down AFTER DELETE ON integrations BEGIN
  UPDATE list_totals SET total = total - 1 WHERE account_id = OLD.account_id AND name = 'integrations';
END;
--> statement-breakpoint
CREATE TRIGGER logs_total_up AFTER INSERT ON logs BEGIN
  INSERT INTO list_totals (account_id, name, total) VALUES (NEW.account_id, 'logs', 1)
    ON CONFLICT (account_id, name) DO UPDATE SET total = total + 1;
END;
--> statement-breakpoint
CREATE TRIGGER logs_total_down AFTER DELETE ON logs BEGIN
  UPDATE list_totals SET total = total - 1 WHERE account_id = OLD.account_id AND name = 'logs';
END;
--> statement-breakpoint
CREATE TRIGGER maintenance_windows_total_up AFTER INSERT ON maintenance_windows BEGIN
  INSERT INTO list_totals (account_id, name, total) VALUES (NEW.account_id, 'maintenance_windows', 1)
    ON CONFLICT (account_id, name) DO UPDATE SET total = total + 1;
END;
--> statement-breakpoint
CREATE TRIGGER maintenance_windows_total_down AFTER DELETE ON maintenance_windows BEGIN
  UPDATE list_totals SET total = total - 1 WHERE account_id = OLD.account_id AND name = 'maintenance_windows';
END;
--> statement-breakpoint
CREATE TRIGGER notification_rules_total_up AFTER INSERT ON notification_rules BEGIN
  INSERT INTO list_totals (account_id, name, total) VALUES (NEW.account_id, 'notification_rules', 1)
    ON CONFLICT (account_id, name) DO UPDATE SET total = total + 1;
END;
--> statement-breakpoint
CREATE TRIGGER notification_rules_total_down AFTER DELETE ON notification_rules BEGIN
  UPDATE list_totals SET total = total - 1 WHERE account_id = OLD.account_id AND name = 'notification_rules';
END;
--> statement-breakpoint
CREATE TRIGGER routers_total_up AFTER INSERT ON routers BEGIN
  INSERT INTO list_totals (account_id, name, total) VALUES (NEW.account_id, 'routers', 1)
    ON CONFLICT (account_id, name) DO UPDATE SET total = total + 1;
END;
--> statement-breakpoint
CREATE TRIGGER routers_total_down AFTER DELETE ON routers BEGIN
  UPDATE list_totals SET total = total - 1 WHERE account_id = OLD.account_id AND name = 'routers';
END;
--> statement-breakpoint
CREATE TRIGGER notifications_total_up AFTER INSERT ON notifications BEGIN
  INSERT INTO list_totals (account_id, name, total) VALUES (NEW.account_id, 'notifications', 1)
    ON CONFLICT (account_id, name) DO UPDATE SET total = total + 1;
END;
--> statement-breakpoint
CREATE TRIGGER notifications_total_down AFTER DELETE ON notifications BEGIN
  UPDATE list_totals SET total = total - 1 WHERE account_id = OLD.account_id AND name = 'notifications';
END;
--> statement-breakpoint
CREATE TRIGGER api_keys_total_up AFTER INSERT ON api_keys BEGIN
  INSERT INTO list_totals (account_id, name, total) VALUES (NEW.account_id, 'api_keys', 1)
    ON CONFLICT (account_id, name) DO UPDATE SET total = total + 1;
END;
--> statement-breakpoint
CREATE TRIGGER api_keys_total_down AFTER DELETE ON api_keys BEGIN
  UPDATE list_totals SET total = total - 1 WHERE account_id = OLD.account_id AND name = 'api_keys';
END;
--> statement-breakpoint
CREATE TRIGGER alerts_status_total AFTER UPDATE OF status ON alerts WHEN NEW.status <> OLD.status BEGIN
  UPDATE list_totals SET total = total - 1 WHERE account_id = OLD.account_id AND name = 'alerts:' || OLD.status;
  INSERT INTO list_totals (account_id, name, total) VALUES (NEW.account_id, 'alerts:' || NEW.status, 1)
    ON CONFLICT (account_id, name) DO UPDATE SET total = total + 1;
END;
