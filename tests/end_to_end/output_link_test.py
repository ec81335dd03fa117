"""An output that is a symbolic link is written through, whether its file is there already or not."""

from atoll_test_tools import AtollTest, main

PROBLEM = """[problem]
benchmark = "sphere"
[parameters]
p = { min = -1, max = 1, size = 2 }
[islands]
count = 2
[stop]
evaluations = 200
"""
SWEEP = """[data]
file = "points.csv"
[sweep]
neurons = [2, 3]
sigma = 1
eta = 0.5
epochs = 2
"""


class Links(AtollTest):
    def setUp(self):
        super().setUp()
        self.write("problem.toml", PROBLEM)
        self.write("sweep.toml", SWEEP)
        self.write("points.csv", "a,b\n1,2\n2,3\n3,1\n4,4\n")
        (self.folder / "there").mkdir()
        (self.folder / "link.h5").symlink_to("there/result.h5")

    def run_through(self, *command):
        run = self.atoll(*command, "-o", "link.h5")

        self.assertEqual(run.code, 0, run)
        self.assertIn("-> there/result.h5", run.out)
        self.assertTrue((self.folder / "link.h5").is_symlink())
        self.assertEqual([path.name for path in (self.folder / "there").iterdir()], ["result.h5"])
        with self.open("there/result.h5") as result:
            self.assertEqual(result.attrs["state"], "finished")
            return result.attrs["seed"]

    def test_a_link_to_nothing_yet_leads_to_the_result(self):
        for command in (("de", "problem.toml"), ("som", "sweep.toml")):
            with self.subTest(command[0]):
                self.run_through(*command)
                (self.folder / "there/result.h5").unlink()

    def test_a_result_behind_a_link_is_replaced_with_force_only(self):
        for command in (("de", "problem.toml"), ("som", "sweep.toml")):
            with self.subTest(command[0]):
                self.run_through(*command)
                self.assert_refused(self.atoll(*command, "-o", "link.h5"), 74, "there/result.h5 is a finished result")
                self.assertIn("finished already", self.atoll(*command, "-o", "link.h5", "--resume").out)
                self.assertEqual(self.run_through(*command, "--force", "--seed", "7"), 7)
                (self.folder / "there/result.h5").unlink()

    def test_links_that_lead_nowhere_are_refused(self):
        (self.folder / "lost.h5").symlink_to("no/result.h5")
        (self.folder / "circle.h5").symlink_to("circle.h5")
        for command in (("de", "problem.toml"), ("som", "sweep.toml")):
            with self.subTest(command[0]):
                self.assert_refused(self.atoll(*command, "-o", "lost.h5"), 74, "the folder no does not exist")
                self.assert_refused(self.atoll(*command, "-o", "circle.h5"), 74, "symbolic links lead in a circle")


main()
